import { Check, MessageSquare, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { Hunk } from '../../../shared/model/change.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { popLook } from '../../parts/menuLook.ts';
import { useWords } from '../../words/words.tsx';
import { commented, type Decision, toggled } from './verdict.ts';

/** The small bar beside each hunk: keep, leave out, say why. It floats over the editor and follows its scrolling. */
export function HunkTools({
  hunks,
  tops,
  decision,
  onDecide,
}: {
  readonly hunks: readonly Hunk[];
  readonly tops: readonly number[];
  readonly decision: Decision;
  readonly onDecide: (change: (decision: Decision) => Decision) => void;
}) {
  const words = useWords();
  return hunks.map((hunk, index) => {
    const top = tops[index];
    if (top === undefined || top < -30) return null;
    const isRejected = decision.rejected.includes(index);
    const name = words.review.hunk(index + 1, hunks.length);
    return (
      <div
        key={hunk.index}
        role="group"
        aria-label={name}
        className={cx(
          'absolute right-3.5 z-[5] flex items-center overflow-hidden rounded-md border border-edge/70 bg-raised shadow-sm',
          '[&_button]:flex [&_button]:h-5 [&_button]:w-6 [&_button]:items-center [&_button]:justify-center [&_svg]:size-3',
        )}
        style={{ transform: `translateY(${top - 1}px)`, top: 0 }}
      >
        <button
          type="button"
          aria-label={`${words.review.acceptHunk}: ${name}`}
          data-first-focus={index === 0 ? '' : undefined}
          title={words.review.acceptHunk}
          aria-pressed={!isRejected}
          className={isRejected ? 'text-soft hover:bg-hover' : 'bg-good-tint text-good'}
          onClick={() => onDecide((before) => toggled(before, index, true))}
        >
          <Check aria-hidden />
        </button>
        <button
          type="button"
          aria-label={`${words.review.rejectHunk}: ${name}`}
          title={words.review.rejectHunk}
          aria-pressed={isRejected}
          className={isRejected ? 'bg-bad-tint text-bad' : 'text-soft hover:bg-hover'}
          onClick={() => onDecide((before) => toggled(before, index, false))}
        >
          <X aria-hidden />
        </button>
        <CommentButton
          label={words.review.commentOn(index + 1)}
          text={decision.comments[index] ?? ''}
          onSave={(text) => onDecide((before) => commented(before, index, text))}
        />
      </div>
    );
  });
}

export function CommentButton({
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
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={label}
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
