import { MessageSquare } from 'lucide-react';
import { Popover } from 'radix-ui';
import { memo, useState } from 'react';
import { type LineSpot, spotKey, useComments, writeComment } from '../../view/comments.ts';
import { spotName } from '../../view/commentText.ts';
import { useWords } from '../../words/words.tsx';
import { cx } from '../cx.ts';
import { CommentPopover } from './CommentButton.tsx';

/** Lines that can be commented on, of one side of one text. They are the same object as long as the text is. */
export interface CommentedText {
  readonly path: string;
  readonly of: LineSpot['of'];
  /** All its lines, or those that are known, by their numbers from 1. */
  readonly lineAt: (number: number) => string;
}

/**
 * Begins a comment on a line, or on all lines of the same text that are selected around it. Drawn when the pointer is on
 * the line, which says so itself: `group/line`, and `data-line` for a selection.
 */
export const LineCommentButton = memo(function LineCommentButton({
  text: { path, of, lineAt },
  line,
}: {
  readonly text: CommentedText;
  readonly line: number;
}) {
  const { comments: w } = useWords();
  const comments = useComments();
  const [spot, setSpot] = useState<LineSpot | null>(null);
  const own = comments.find((one) => one.of === of && one.path === path && one.to === line);
  const current = spot && comments.find((one) => spotKey(one) === spotKey(spot));
  const label = spot || own ? w.on(spotName(spot ?? own ?? { of, path, from: line, to: line })) : w.onLine(line);

  const begin = (button: HTMLElement): void => {
    const [from, to] = selectedAround(button, line);
    if (own && from === to) return setSpot(own);
    const quote = Array.from({ length: to - from + 1 }, (_, at) => lineAt(from + at));
    setSpot({ path, of, from, to, quote });
  };
  const button = (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={own?.text || w.line}
      // The selection stays: it says which lines are meant.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => begin(event.currentTarget)}
      className={cx(
        'line-comment rounded-sm [&_svg]:size-3',
        own
          ? 'text-accent'
          : 'bg-raised text-soft opacity-0 group-hover/line:opacity-100 hover:text-accent focus:opacity-100',
      )}
    >
      <MessageSquare aria-hidden fill={own ? 'currentColor' : 'none'} />
    </button>
  );
  if (!spot) return button;
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && setSpot(null)}>
      <Popover.Anchor asChild>{button}</Popover.Anchor>
      <CommentPopover label={label} text={current?.text ?? ''} onSave={(text) => writeComment(spot, text)} />
    </Popover.Root>
  );
});

/** The first and last selected line of the text that this line is of; the line alone where it is not among them. */
function selectedAround(button: HTMLElement, line: number): readonly [number, number] {
  const row = button.closest<HTMLElement>('[data-line]');
  const selection = window.getSelection();
  if (!row || !selection || selection.isCollapsed || !selection.containsNode(row, true)) return [line, line];
  const lines = [
    ...document.querySelectorAll<HTMLElement>(`[data-line][data-text="${CSS.escape(row.dataset['text'] ?? '')}"]`),
  ]
    .filter((one) => selection.containsNode(one, true))
    .map((one) => Number(one.dataset['line']));
  return [Math.min(line, ...lines), Math.max(line, ...lines)];
}
