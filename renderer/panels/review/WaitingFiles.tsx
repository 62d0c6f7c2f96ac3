import { Check, X } from 'lucide-react';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { useWords } from '../../words/words.tsx';
import { decide, fileKey } from './decisions.ts';
import { CommentButton } from './HunkTools.tsx';
import type { Stale } from './useStale.ts';
import { allKept, allRejected, commented, type Decision, keptOf, partsOf, wholeFile } from './verdict.ts';

export const statusSigns = {
  added: { sign: 'A', color: 'text-good' },
  modified: { sign: 'M', color: 'text-accent' },
  deleted: { sign: 'D', color: 'text-bad' },
  renamed: { sign: 'R', color: 'text-warn' },
} as const;

export function WaitingFiles({
  waiting,
  chosen,
  stale,
  decisionOf,
  onChoose,
}: {
  readonly waiting: readonly WaitingChange[];
  readonly chosen: WaitingChange;
  readonly stale: Stale;
  readonly decisionOf: (file: WaitingChange) => Decision;
  readonly onChoose: (file: WaitingChange) => void;
}) {
  const words = useWords();
  return (
    <ul aria-label={words.review.waiting} className="max-h-[34%] shrink-0 overflow-y-auto border-b border-line p-1.5">
      {waiting.map((file) => (
        <FileLine
          key={fileKey(file.call, file.change.path)}
          file={file}
          decision={decisionOf(file)}
          why={stale[file.change.oldPath ?? file.change.path]}
          isChosen={file === chosen}
          onChoose={() => onChoose(file)}
        />
      ))}
    </ul>
  );
}

function FileLine({
  file: { call, change, layer },
  decision,
  why,
  isChosen,
  onChoose,
}: {
  readonly file: WaitingChange;
  readonly decision: Decision;
  /** Why the file is no longer as it was, where it is not. */
  readonly why: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const words = useWords();
  const key = fileKey(call, change.path);
  const kept = keptOf(change, decision);
  const { sign, color } = statusSigns[change.status];
  const verdict =
    kept === 0
      ? words.review.rejected
      : decision.edited
        ? words.review.edited
        : kept < partsOf(change)
          ? words.review.partly
          : null;
  return (
    <li
      className={cx('flex items-center gap-1 rounded-md pr-1 hover:bg-hover', isChosen && 'bg-chosen hover:bg-chosen')}
    >
      <button
        type="button"
        aria-current={isChosen}
        className="flex h-7 min-w-0 flex-1 items-center gap-2 pl-2 text-left"
        onClick={onChoose}
      >
        <span aria-hidden title={words.review[change.status]} className={cx('w-3 font-mono text-2xs font-bold', color)}>
          {sign}
        </span>
        <span className="sr-only">{words.review[change.status]}</span>
        <PathText
          path={change.oldPath ? `${change.oldPath} → ${change.path}` : change.path}
          className={cx('flex-1 font-mono text-xs', kept === 0 && 'line-through opacity-60')}
        />
        {layer && (
          <span className="tabular shrink-0 text-2xs text-soft">{words.review.layer(layer.number, layer.of)}</span>
        )}
        {why !== undefined && (
          <span className="shrink-0 text-2xs font-medium text-warn" title={words.review.stale(why)}>
            {words.review.isStale}
          </span>
        )}
        {change.protectedBy && (
          <span className="shrink-0 truncate text-2xs text-warn">{words.review.protectedBy(change.protectedBy)}</span>
        )}
        {change.executable !== undefined && (
          <span className="shrink-0 text-2xs text-warn">
            {change.executable ? words.review.executable : words.review.plain}
          </span>
        )}
        {verdict && (
          <span className={cx('shrink-0 text-2xs', kept === 0 ? 'text-bad' : 'text-accent')}>
            {verdict}
            {kept > 0 && kept < partsOf(change) && ` ${kept}/${partsOf(change)}`}
          </span>
        )}
        <Lines additions={change.additions} deletions={change.deletions} />
      </button>
      <IconButton
        label={`${words.review.accept}: ${change.path}`}
        className={cx('size-5.5', kept === partsOf(change) && '!text-good')}
        onClick={() => decide(key, allKept)}
      >
        <Check />
      </IconButton>
      <IconButton
        label={`${words.review.reject}: ${change.path}`}
        className={cx('size-5.5', kept === 0 && '!text-bad')}
        onClick={() => decide(key, (before) => allRejected(change, before))}
      >
        <X />
      </IconButton>
      <span className="flex [&_button]:flex [&_button]:size-5.5 [&_button]:items-center [&_button]:justify-center [&_button]:rounded-md [&_svg]:size-3.5">
        <CommentButton
          label={`${words.review.commentFile}: ${change.path}`}
          text={decision.comments[wholeFile] ?? ''}
          onSave={(text) => decide(key, (before) => commented(before, wholeFile, text))}
        />
      </span>
    </li>
  );
}
