import { MessageSquare } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { popLook } from '../../parts/menuLook.ts';
import { useWords } from '../../words/words.tsx';

/** A remark for the model, kept with every keystroke. */
export function CommentButton({
  label,
  path,
  text,
  onSave,
}: {
  readonly label: string;
  /** What it is about, for those who hear it. */
  readonly path: string;
  readonly text: string;
  readonly onSave: (text: string) => void;
}) {
  const words = useWords();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          data-comment
          aria-label={`${label}: ${path}`}
          title={text || words.review.comment}
          className={text ? 'text-accent' : 'text-soft hover:bg-hover'}
        >
          <MessageSquare aria-hidden fill={text ? 'currentColor' : 'none'} />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content align="end" sideOffset={4} className={cx(popLook, 'w-76 p-2')}>
          <textarea
            aria-label={label}
            placeholder={words.review.commentPlaceholder}
            value={text}
            // Kept with every keystroke: nothing that happens beside the field loses words.
            onChange={(event) => onSave(event.target.value)}
            className="field-sizing-content max-h-40 min-h-16 w-full resize-none rounded-md border border-line bg-inset px-2 py-1.5"
          />
          <div className="mt-1.5 flex justify-end">
            <Popover.Close asChild>
              <Button look="primary">{words.common.save}</Button>
            </Popover.Close>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
