import { MessageSquare } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useWords } from '../../words/words.tsx';
import { Button } from '../Button.tsx';
import { cx } from '../cx.ts';
import { popLook } from '../menuLook.ts';

/** A remark for the model, kept with every keystroke. */
export function CommentButton({
  label,
  path,
  text,
  className,
  onSave,
}: {
  readonly label: string;
  /** What it is about, for those who hear it. */
  readonly path: string;
  readonly text: string;
  readonly className?: string;
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
          className={cx(text ? 'text-accent' : 'text-soft hover:bg-hover', className)}
        >
          <MessageSquare aria-hidden fill={text ? 'currentColor' : 'none'} />
        </button>
      </Popover.Trigger>
      <CommentPopover label={label} text={text} onSave={onSave} />
    </Popover.Root>
  );
}

/** The field of a comment beside what it is about. Kept with every keystroke: nothing that happens beside it loses words. */
export function CommentPopover({
  label,
  text,
  onSave,
}: {
  readonly label: string;
  readonly text: string;
  readonly onSave: (text: string) => void;
}) {
  const words = useWords();
  return (
    <Popover.Portal>
      <Popover.Content align="end" sideOffset={4} className={cx(popLook, 'w-76 p-2')}>
        <textarea
          aria-label={label}
          placeholder={words.review.commentPlaceholder}
          value={text}
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
  );
}
