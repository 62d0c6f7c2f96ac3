import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Button } from '../../parts/Button.tsx';
import { isMac, keysText, matchesKeys } from '../../parts/keys.ts';
import { isDialogOpen } from '../../view/overlay.ts';

const applyKeys = 'mod+enter';

/** Where keys are typed text or act on a text; the composer passes on what it has no use for. */
function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest('input, textarea, [contenteditable], .monaco-editor');
  return field !== null && !field.hasAttribute('data-passes-keys');
}

type Handler = (event: { readonly timeStamp: number; preventDefault(): void }) => void;

/** The answer to the whole review, by button and by key. */
export function ReviewFoot({
  label,
  rejectLabel,
  isEmpty,
  isInert,
  onApply,
  onReject,
  children,
}: {
  readonly label: string;
  readonly rejectLabel: string;
  /** There is nothing that could be applied. */
  readonly isEmpty: boolean;
  readonly isInert: boolean;
  readonly onApply: Handler;
  readonly onReject: Handler;
  readonly children: ReactNode;
}) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isEmpty || !matchesKeys(applyKeys, event, isMac)) return;
    if (isDialogOpen() || isTextField(event.target)) return;
    event.preventDefault();
    onApply(event);
  });
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 border-t border-line bg-panel px-3">
      <Button look="primary" aria-disabled={isInert} disabled={isEmpty} onClick={onApply}>
        {label}
        <kbd className="font-sans">{keysText(applyKeys, isMac)}</kbd>
      </Button>
      <Button aria-disabled={isInert} onClick={onReject}>
        {rejectLabel}
      </Button>
      <span className="flex-1" />
      <span className="truncate text-xs text-soft">{children}</span>
    </div>
  );
}
