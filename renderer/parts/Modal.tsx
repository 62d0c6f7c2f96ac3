import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';

/** A dialog with a title, a body that scrolls and a foot that stays. */
export function Modal({
  title,
  note,
  foot,
  className,
  onClose,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly foot?: ReactNode;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-veil" />
        <Dialog.Content
          className={cx(
            'fixed top-[12vh] left-1/2 z-30 flex max-h-[76vh] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-pop outline-none',
            className,
          )}
          aria-describedby={undefined}
          // The dialog itself takes the focus, none of its buttons: Enter out of habit must choose nothing.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
        >
          <div className="flex items-start gap-3 px-4 pt-3.5 pb-2">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
              {note && <div className="mt-1 text-soft">{note}</div>}
            </div>
            <Dialog.Close asChild>
              <IconButton label={words.common.close}>
                <X />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
          {foot && <div className="flex items-center justify-end gap-2 border-t border-line px-4 py-2.5">{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
