import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { useRef } from 'react';
import { useClient, valueOrToast } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { Tip } from '../../parts/Tip.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import { ContextMeter } from './ContextMeter.tsx';
import { EditsMenu } from './EditsMenu.tsx';
import { EffortMenu } from './EffortMenu.tsx';
import { useHasModel } from './useSend.ts';

interface ComposerFootProps {
  readonly isBusy: boolean;
  /** Absent: there is nothing to send. */
  readonly onSend: (() => void) | undefined;
  readonly onAttach: ((files: readonly File[]) => void) | undefined;
}

/** The line below the field: how full the context is, what the keys do or what is missing, and the button. */
export function ComposerFoot({ isBusy, onSend, onAttach }: ComposerFootProps) {
  const { composer, header } = useWords();
  const client = useClient();
  const session = useShown((shown) => shown.session);
  const picker = useRef<HTMLInputElement>(null);
  const hasModel = useHasModel();
  const sendLabel = isBusy ? composer.queue : composer.send;
  return (
    <div className="flex h-9 items-center gap-3 pr-1.5 pb-1 pl-3.5">
      <IconButton
        label={composer.attach}
        disabled={!onAttach}
        onClick={() => picker.current?.click()}
        className="-mr-2 -ml-1.5"
      >
        <Paperclip />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={composer.attach}
        onChange={({ target }) => {
          onAttach?.([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <ContextMeter />
      <EffortMenu />
      <EditsMenu />
      {hasModel ? (
        <span className="min-w-0 flex-1 truncate text-2xs text-soft">{composer.hint}</span>
      ) : (
        <span className="flex min-w-0 flex-1 items-center gap-1.5 truncate text-2xs text-warn">
          {composer.noModel}
          <button
            type="button"
            className="underline underline-offset-2"
            onClick={() => openOverlay({ kind: 'settings', section: 'providers' })}
          >
            {composer.setUp}
          </button>
        </span>
      )}
      {isBusy && !onSend && session !== null ? (
        <Tip text={header.stopMore} side="top">
          <button
            type="button"
            aria-label={header.stopMore}
            onClick={() => void valueOrToast(client.call('session.stop', { session }))}
            className="flex size-6.5 shrink-0 items-center justify-center rounded-lg bg-bad-tint text-bad hover:brightness-110"
          >
            <Square aria-hidden className="size-3" fill="currentColor" />
          </button>
        </Tip>
      ) : (
        <Tip text={sendLabel} keys="⏎" side="top">
          <button
            type="button"
            aria-label={sendLabel}
            disabled={!onSend}
            onClick={onSend}
            className="flex size-6.5 items-center justify-center rounded-lg bg-accent-fill text-on-accent transition-opacity disabled:opacity-35"
          >
            <ArrowUp aria-hidden className="size-4" />
          </button>
        </Tip>
      )}
    </div>
  );
}
