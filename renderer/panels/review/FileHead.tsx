import { Check, ChevronRight, Pencil, RotateCcw, Undo2, X } from 'lucide-react';
import { Button, IconButton } from '../../parts/Button.tsx';
import { CommentButton } from '../../parts/comments/CommentButton.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { useWords } from '../../words/words.tsx';
import type { ReviewedFile, ScrollFile } from './scrollFile.ts';
import { statusSigns } from './statusSigns.ts';
import { allKept, allRejected, commented, isReviewed, keptOf, partsOf, wholeFile } from './verdict.ts';

/** The head of a file in the scroll: it stays on top while its lines are on show. */
export function FileHead({
  file: { change, review, onTakeBack },
  isFolded,
  isEditing,
  canEdit,
  onFold,
  onEdit,
}: {
  readonly file: ScrollFile;
  readonly isFolded: boolean;
  readonly isEditing: boolean;
  readonly canEdit: boolean;
  readonly onFold: () => void;
  readonly onEdit: () => void;
}) {
  const words = useWords();
  const { review: w } = words;
  const { sign, color } = statusSigns[change.status];
  const whole = { ...change, hunks: review?.hunks ?? [] };
  const kept = review ? keptOf(whole, review.decision) : 1;
  const facts = [
    review?.layer && { text: w.layer(review.layer.number, review.layer.of), look: 'text-soft' },
    review?.stale !== undefined && { text: w.isStale, look: 'font-medium text-warn', title: w.stale(review.stale) },
    review?.findings?.length && { text: words.rehearsal.breaks(review.findings.length), look: 'font-medium text-bad' },
    change.protectedBy && { text: w.protectedBy(change.protectedBy), look: 'text-warn' },
    change.executable !== undefined && { text: change.executable ? w.executable : w.plain, look: 'text-warn' },
    review?.decision.edited && { text: w.edited, look: 'text-accent' },
  ].filter((fact) => fact !== false && fact !== undefined && fact !== '' && fact !== null && fact !== 0);
  return (
    <div
      role="group"
      aria-label={`${w.title}: ${change.path}`}
      className="flex h-8 items-center gap-1.5 border-y border-line bg-raised pr-1.5 pl-1 text-xs"
    >
      <IconButton label={change.path} aria-expanded={!isFolded} className="size-5" onClick={onFold}>
        <ChevronRight className={cx('transition-transform', !isFolded && 'rotate-90')} />
      </IconButton>
      <span aria-hidden title={w[change.status]} className={cx('w-3 font-mono text-2xs font-bold', color)}>
        {sign}
      </span>
      <span className="sr-only">{w[change.status]}</span>
      <PathText
        path={change.oldPath ? `${change.oldPath} → ${change.path}` : change.path}
        className={cx('font-mono font-medium', kept === 0 && 'line-through opacity-60')}
      />
      {change.additions + change.deletions > 0 && <Lines additions={change.additions} deletions={change.deletions} />}
      {facts.map(({ text, look, title }) => (
        <span key={text} title={title ?? text} className={cx('min-w-0 truncate text-2xs', look)}>
          {text}
        </span>
      ))}
      <span className="flex-1" />
      {review?.decision.edited && (
        <IconButton
          label={w.reset}
          className="size-5.5"
          onClick={() => review.onDecide((before) => ({ ...before, edited: null }))}
        >
          <RotateCcw />
        </IconButton>
      )}
      {onTakeBack && (
        <IconButton label={`${w.takeBackFile}: ${change.path}`} className="size-5.5" onClick={() => onTakeBack()}>
          <Undo2 />
        </IconButton>
      )}
      {review && canEdit && (
        <Button look="quiet" className="h-5.5 px-1.5" aria-pressed={isEditing} onClick={onEdit}>
          {isEditing ? <Check aria-hidden className="size-3.5" /> : <Pencil aria-hidden className="size-3" />}
          {isEditing ? w.editDone : w.edit}
        </Button>
      )}
      {review && (
        <>
          <ReadMark path={change.path} isRead={isReviewed(whole, review.decision)} onDecide={review.onDecide} />
          <IconButton
            label={`${w.accept}: ${change.path}`}
            className={cx('size-5.5', kept === partsOf(whole) && '!text-good')}
            onClick={() => review.onDecide(allKept)}
          >
            <Check />
          </IconButton>
          <IconButton
            label={`${w.reject}: ${change.path}`}
            className={cx('size-5.5', kept === 0 && '!text-bad')}
            onClick={() => review.onDecide((before) => allRejected(whole, before))}
          >
            <X />
          </IconButton>
          <span className="flex [&_button]:flex [&_button]:size-5.5 [&_button]:items-center [&_button]:justify-center [&_button]:rounded-md [&_svg]:size-3.5">
            <CommentButton
              label={w.commentFile}
              path={change.path}
              text={review.decision.comments[wholeFile] ?? ''}
              onSave={(text) => review.onDecide((before) => commented(before, wholeFile, text))}
            />
          </span>
        </>
      )}
    </div>
  );
}

function ReadMark({
  path,
  isRead: checked,
  onDecide,
}: {
  readonly path: string;
  readonly isRead: boolean;
  readonly onDecide: ReviewedFile['onDecide'];
}) {
  const { review: w } = useWords();
  return (
    <label className="flex shrink-0 items-center gap-1 px-1 text-2xs text-soft">
      <input
        type="checkbox"
        aria-label={`${w.read}: ${path}`}
        checked={checked}
        onChange={(event) => {
          const isRead = event.target.checked;
          onDecide((before) => ({ ...before, isRead }));
        }}
      />
      {w.read}
    </label>
  );
}
