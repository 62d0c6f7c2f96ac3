import { ChevronRight, Minus, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { GitFile, GitSide } from '../../../shared/contract/gitApi.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { type CommentedText, LineCommentButton } from '../../parts/comments/LineCommentButton.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { useWords } from '../../words/words.tsx';
import type { Action } from './useGit.ts';

const signs: Readonly<Record<GitFile['status'], { readonly sign: string; readonly color: string }>> = {
  modified: { sign: 'M', color: 'text-accent' },
  added: { sign: 'A', color: 'text-good' },
  deleted: { sign: 'D', color: 'text-bad' },
  renamed: { sign: 'R', color: 'text-accent' },
  untracked: { sign: 'U', color: 'text-good' },
  conflicted: { sign: '!', color: 'text-bad' },
};

/** One file on one side of the index; opened, its hunks, each to be staged or taken out alone. */
export function GitFileRow({
  file,
  side,
  isStaged,
  isOwn,
  onAct,
}: {
  readonly file: GitFile;
  readonly side: GitSide;
  readonly isStaged: boolean;
  /** This session wrote it. */
  readonly isOwn: boolean;
  readonly onAct: (action: Action) => void;
}) {
  const { git: w } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const { sign, color } = signs[file.status];
  const act = (hunks?: readonly number[]): void =>
    onAct({ do: isStaged ? 'unstage' : 'stage', files: [file.path], hunks, of: hunks ? side.id : undefined });
  const hasHunks = side.hunks.length > 0;
  // A new or binary file has nothing to unfold.
  const Line = hasHunks ? 'button' : 'div';
  const verb = isStaged ? w.unstage : w.stage;
  return (
    <li>
      <div className="group flex items-center gap-1 rounded-md pr-1 hover:bg-hover">
        <Line
          {...(hasHunks ? { type: 'button', 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) } : {})}
          className="flex h-6.5 min-w-0 flex-1 items-center gap-2 px-1 text-left"
        >
          <ChevronRight
            aria-hidden
            className={cx(
              'size-3 shrink-0 text-soft transition-transform',
              isOpen && 'rotate-90',
              !hasHunks && 'invisible',
            )}
          />
          <span aria-hidden className={cx('w-3 font-mono text-2xs font-bold', color)}>
            {sign}
          </span>
          <span className="sr-only">{w.status[file.status]}</span>
          <PathText
            path={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path}
            className="flex-1 font-mono text-xs"
          />
          {isOwn && <span className="shrink-0 rounded-sm bg-chosen px-1 text-2xs text-soft">{w.own}</span>}
          {side.binary && <span className="shrink-0 text-2xs text-soft">{w.binary}</span>}
          {side.additions + side.deletions > 0 && <Lines additions={side.additions} deletions={side.deletions} />}
        </Line>
        <IconButton label={`${verb}: ${file.path}`} className="size-5.5" onClick={() => act()}>
          {isStaged ? <Minus /> : <Plus />}
        </IconButton>
      </div>
      {isOpen &&
        side.hunks.map((hunk, index) => (
          <div
            key={`${hunk.oldStart} ${hunk.newStart}`}
            role="group"
            aria-label={`${w.hunk(index + 1, side.hunks.length)}: ${file.path}`}
            className="my-1 ml-5 overflow-hidden rounded-md border border-line"
          >
            <div className="flex h-6.5 items-center gap-2 bg-inset px-2 text-2xs text-soft">
              <span className="tabular flex-1">{w.hunk(index + 1, side.hunks.length)}</span>
              {side.id !== undefined && side.hunks.length > 1 && (
                <Button
                  look="quiet"
                  className="h-5 px-1.5"
                  aria-label={`${verb}: ${w.hunk(index + 1, side.hunks.length)}, ${file.path}`}
                  onClick={() => act([index + 1])}
                >
                  {verb}
                </Button>
              )}
            </div>
            <DiffText path={file.path} hunk={hunk} />
          </div>
        ))}
    </li>
  );
}

function DiffText({ path, hunk }: { readonly path: string; readonly hunk: GitSide['hunks'][number] }) {
  const lines = useMemo(() => numbered(hunk), [hunk]);
  const texts = useMemo(() => {
    const textOf = (of: 'file' | 'before'): CommentedText => ({
      path,
      of,
      lineAt: (number) => lines.find((one) => one.number === number && one.of === of)?.text.slice(1) ?? '',
    });
    return { file: textOf('file'), before: textOf('before') };
  }, [path, lines]);
  return (
    <div className="selectable overflow-x-auto py-0.5 font-mono text-xs">
      {lines.map(({ text, of, number }, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come twice, and a hunk is drawn anew as a whole
          key={index}
          {...(number === undefined ? {} : { 'data-line': number, 'data-text': `${of} ${path}` })}
          className={cx(
            'group/line relative min-w-max pr-2 pl-5 whitespace-pre',
            text.startsWith('+') && 'bg-good-tint',
            text.startsWith('-') && 'bg-bad-tint',
            number === undefined && 'text-soft',
          )}
        >
          {number !== undefined && <LineCommentButton text={texts[of]} line={number} />}
          <VisibleText text={text === '' ? ' ' : text} />
        </div>
      ))}
    </div>
  );
}

interface NumberedLine {
  readonly text: string;
  /** A line that goes counts by the old text, every other one by the new one. */
  readonly of: 'file' | 'before';
  /** None: a note of git. */
  readonly number: number | undefined;
}

function numbered({ oldStart, newStart, lines }: GitSide['hunks'][number]): readonly NumberedLine[] {
  let old = oldStart;
  let now = newStart;
  return lines.map((text): NumberedLine => {
    if (text.startsWith('\\')) return { text, of: 'file', number: undefined };
    if (text.startsWith('-')) return { text, of: 'before', number: old++ };
    if (!text.startsWith('+')) old++;
    return { text, of: 'file', number: now++ };
  });
}
