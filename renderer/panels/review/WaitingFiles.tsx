import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { useReviewLook } from '../../view/panelState.ts';
import { useWords } from '../../words/words.tsx';
import { folderRows } from './folderRows.ts';
import type { ScrollFile } from './scrollFile.ts';
import { statusSigns } from './statusSigns.ts';
import { isReviewed, keptOf, partsOf } from './verdict.ts';

/** The files of the review, one below the other or by their folders; a click brings one into sight. */
export function WaitingFiles({
  files,
  chosen,
  label,
  isBeside,
  onChoose,
}: {
  readonly files: readonly ScrollFile[];
  readonly chosen: string | null;
  readonly label: string;
  /** Stands at the side of the scroll, not on top of it. */
  readonly isBeside: boolean;
  readonly onChoose: (file: ScrollFile) => void;
}) {
  const look = useReviewLook(({ files: shown }) => shown);
  if (look === 'none') return null;
  const rows = look === 'tree' ? folderRows(files) : files.map((file) => ({ kind: 'file' as const, file, depth: 0 }));
  return (
    <ul
      aria-label={label}
      className={cx(
        'shrink-0 overflow-y-auto p-1',
        isBeside ? 'w-56 border-r border-line' : 'max-h-[26%] border-b border-line',
      )}
    >
      {rows.map((row) =>
        row.kind === 'folder' ? (
          <li
            key={`folder ${row.path}`}
            className="flex h-6 items-center truncate text-2xs text-soft"
            style={{ paddingLeft: `${0.5 + row.depth * 0.75}rem` }}
          >
            {row.name}
          </li>
        ) : (
          <FileLine
            key={row.file.key}
            file={row.file}
            depth={row.depth}
            isTree={look === 'tree'}
            isChosen={row.file.key === chosen || row.file.change.path === chosen}
            onChoose={() => onChoose(row.file)}
          />
        ),
      )}
    </ul>
  );
}

function FileLine({
  file: { change, review },
  depth,
  isTree,
  isChosen,
  onChoose,
}: {
  readonly file: ScrollFile;
  readonly depth: number;
  readonly isTree: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const words = useWords();
  const { sign, color } = statusSigns[change.status];
  const kept = review ? keptOf(review, review.decision) - review.fallen.length : 1;
  const all = review ? partsOf(review) : 1;
  const isRead = review !== undefined && isReviewed(review, review.decision);
  const verdict = !review
    ? null
    : kept === 0
      ? words.review.rejected
      : review.decision.edited
        ? words.review.edited
        : kept < all
          ? `${words.review.partly} ${kept}/${all}`
          : null;
  const path = change.oldPath ? `${change.oldPath} → ${change.path}` : change.path;
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen}
        className={cx(
          'flex h-6.5 w-full min-w-0 items-center gap-1.5 rounded-md px-2 text-left hover:bg-hover',
          isChosen && 'bg-chosen hover:bg-chosen',
        )}
        style={{ paddingLeft: `${0.5 + depth * 0.75}rem` }}
        onClick={onChoose}
      >
        <span aria-hidden title={words.review[change.status]} className={cx('w-3 font-mono text-2xs font-bold', color)}>
          {sign}
        </span>
        <span className="sr-only">{words.review[change.status]}</span>
        <PathText
          path={isTree ? path.slice(path.lastIndexOf('/') + 1) : path}
          className={cx('flex-1 font-mono text-xs', kept === 0 && 'line-through opacity-60', isRead && 'text-soft')}
        />
        {review?.layer && (
          <span className="tabular shrink-0 text-2xs text-soft">
            {words.review.layer(review.layer.number, review.layer.of)}
          </span>
        )}
        {review?.stale !== undefined && (
          <span className="shrink-0 text-2xs font-medium text-warn" title={words.review.stale(review.stale)}>
            {words.review.isStale}
          </span>
        )}
        {verdict && <span className={cx('shrink-0 text-2xs', kept === 0 ? 'text-bad' : 'text-accent')}>{verdict}</span>}
        {isRead && (
          <span className="shrink-0 text-2xs text-good" title={words.review.read}>
            ✓<span className="sr-only">{words.review.read}</span>
          </span>
        )}
        {change.additions + change.deletions > 0 && <Lines additions={change.additions} deletions={change.deletions} />}
      </button>
    </li>
  );
}
