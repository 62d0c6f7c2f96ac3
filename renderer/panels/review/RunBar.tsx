import { Check, Undo2, X } from 'lucide-react';
import { Button } from '../../parts/Button.tsx';
import { CommentButton } from '../../parts/comments/CommentButton.tsx';
import { SpotCommentButton } from '../../parts/comments/SpotCommentButton.tsx';
import { cx } from '../../parts/cx.ts';
import type { LineSpot } from '../../view/comments.ts';
import { useWords } from '../../words/words.tsx';
import type { FileDiff, Run } from './diffRows.ts';
import { FindingLine } from './FindingLine.tsx';
import { hunkReasons } from './hunkReasons.ts';
import { type ScrollFile, takeBackHunk } from './scrollFile.ts';
import { commented, toggled } from './verdict.ts';

/** The line above each run of changed lines: which hunk it is, what wants a second look, and its verdict. */
export function RunBar({
  file,
  diff,
  run,
  index,
  isCurrent,
  isFirst,
}: {
  readonly file: ScrollFile;
  readonly diff: FileDiff;
  readonly run: Run;
  readonly index: number;
  readonly isCurrent: boolean;
  /** Where one begins who comes to the review by a key. */
  readonly isFirst: boolean;
}) {
  const { change, review } = file;
  const words = useWords();
  const { review: w } = words;
  const count = review?.hunks.length ?? diff.runs.length;
  const [hunk] = run.hunks;
  const number = (hunk ?? index) + 1;
  const name = hunk === undefined && review ? w.own : w.hunk(number, count);
  const goes = diff.old.slice(run.oldStart, run.oldEnd);
  const comes = diff.now.slice(run.nowStart, run.nowEnd);
  const isFallen = run.hunks.length > 0 && run.hunks.every((each) => review?.fallen.includes(each));
  const reasons = hunkReasons(goes, comes);
  const found = review
    ? (review.findings ?? []).filter(({ place }) => place && run.hunks.includes(place.hunk))
    : (file.brokenBy?.(index, run) ?? []);
  const comments = run.hunks.flatMap((each) => review?.decision.comments[each] ?? []);
  const decide = (keep: boolean) => (): void =>
    review?.onDecide((before) => run.hunks.reduce((now, each) => toggled(now, each, keep), before));
  const where =
    run.oldEnd > run.oldStart ? w.lines(run.oldStart + 1, run.oldEnd) : w.lines(run.nowStart + 1, run.nowEnd);
  return (
    <div
      role="group"
      aria-label={`${name}: ${change.path}`}
      className={cx(
        'border-y border-line bg-inset px-2 text-2xs text-soft',
        isCurrent && 'shadow-[inset_3px_0_var(--accent)]',
      )}
    >
      <div className="flex h-6 items-center gap-2">
        <span className={cx('tabular shrink-0', isCurrent && 'font-semibold text-ink')}>{name}</span>
        <span className="tabular shrink-0">{where}</span>
        {reasons.map((reason) => (
          <span key={reason} className="shrink-0 font-medium text-warn">
            {w.reasons[reason]}
          </span>
        ))}
        {found.length > 0 && (
          <span className="shrink-0 font-medium text-bad">
            {review ? words.rehearsal.breaks(found.length) : words.builds.breaks(found.length)}
          </span>
        )}
        {isFallen && <span className="shrink-0 font-medium text-bad">{w.fallen}</span>}
        {run.isRejected && <span className="min-w-0 truncate">{w.staysAsItIs(goes.length, comes.length)}</span>}
        <span className="flex-1" />
        {file.onTakeBack && <TakeBack file={file} run={run} name={name} isFirst={isFirst} />}
        {!review && <SpotCommentButton spot={spotOf(change.path, diff, run)} className={iconLook} />}
        {review && hunk !== undefined && (
          <span className="flex shrink-0 items-center gap-0.5 [&_button]:flex [&_button]:h-5 [&_button]:w-6.5 [&_button]:items-center [&_button]:justify-center [&_button]:rounded-sm [&_svg]:size-3.5">
            <button
              type="button"
              data-accept
              data-first-focus={isFirst ? '' : undefined}
              aria-label={`${w.acceptHunk}: ${name}, ${change.path}`}
              title={`${w.acceptHunk} (a)`}
              aria-pressed={!run.isRejected}
              className={run.isRejected ? 'hover:bg-hover' : 'bg-good-tint text-good'}
              onClick={decide(true)}
            >
              <Check aria-hidden />
            </button>
            <button
              type="button"
              aria-label={`${w.rejectHunk}: ${name}, ${change.path}`}
              title={`${w.rejectHunk} (x)`}
              aria-pressed={run.isRejected}
              className={run.isRejected ? 'bg-bad-tint text-bad' : 'hover:bg-hover'}
              onClick={decide(false)}
            >
              <X aria-hidden />
            </button>
            <CommentButton
              label={w.commentOn(number)}
              path={change.path}
              text={comments.join('\n')}
              onSave={(text) => review.onDecide((before) => commented(before, hunk, text))}
            />
          </span>
        )}
      </div>
      {found.map((finding) => (
        <FindingLine key={JSON.stringify(finding)} finding={finding} />
      ))}
      {comments.map((text) => (
        <p key={text} className="selectable pb-1 text-xs break-words whitespace-pre-wrap text-ink">
          {text}
        </p>
      ))}
    </div>
  );
}

const iconLook = 'flex h-5 w-6.5 items-center justify-center rounded-sm [&_svg]:size-3.5';

/** All lines that a run has written, or those that it took away. */
function spotOf(path: string, { old, now }: FileDiff, run: Run): LineSpot {
  const { oldStart, oldEnd, nowStart, nowEnd } = run;
  return nowEnd > nowStart
    ? { path, of: 'file', from: nowStart + 1, to: nowEnd, quote: now.slice(nowStart, nowEnd) }
    : {
        path,
        of: 'before',
        from: oldStart + 1,
        to: Math.max(oldEnd, oldStart + 1),
        quote: old.slice(oldStart, oldEnd),
      };
}

function TakeBack({
  file,
  run,
  name,
  isFirst,
}: {
  readonly file: ScrollFile;
  readonly run: Run;
  readonly name: string;
  readonly isFirst: boolean;
}) {
  const { review: w } = useWords();
  return (
    <Button
      look="quiet"
      data-accept
      data-first-focus={isFirst ? '' : undefined}
      className="h-5 px-1.5"
      aria-label={`${w.takeBack}: ${name}, ${file.change.path}`}
      title={`${w.takeBack} (x)`}
      onClick={() => takeBackHunk(file, run)}
    >
      <Undo2 aria-hidden className="size-3" />
      {w.takeBack}
    </Button>
  );
}
