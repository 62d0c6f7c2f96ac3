import { useMemo } from 'react';
import type { CommentedText } from '../../parts/comments/LineCommentButton.tsx';
import { useWords } from '../../words/words.tsx';
import { DiffLine, type SideColours } from './DiffLine.tsx';
import { type FileDiff, wordsOfRun } from './diffRows.ts';
import { FileEditor } from './FileEditor.tsx';
import { FileHead } from './FileHead.tsx';
import { NoHunks } from './NoHunks.tsx';
import { RunBar } from './RunBar.tsx';
import type { DrawnFile, ScrollRow } from './scrollRows.ts';

export const lineHeightPx = 18.4;

/** One row of the scroll. */
export function DiffRow({
  row,
  one,
  colours,
  isFirst,
  isCurrent,
  isEditing,
  onFold,
  onOpen,
  onEdit,
}: {
  readonly row: ScrollRow;
  readonly one: DrawnFile;
  readonly colours: SideColours;
  /** Where one begins who comes to the review by a key. */
  readonly isFirst: boolean;
  readonly isCurrent: boolean;
  readonly isEditing: boolean;
  readonly onFold: () => void;
  /** Shows the unchanged lines from this one on. */
  readonly onOpen: (from: number) => void;
  readonly onEdit: () => void;
}) {
  const words = useWords();
  const { file, diff, texts } = one;
  const { path, oldPath = path } = file.change;
  const isWaiting = file.review !== undefined;
  const commented = useMemo(
    () => diff && commentedTexts(diff, path, oldPath, isWaiting),
    [diff, path, oldPath, isWaiting],
  );
  switch (row.kind) {
    case 'head':
      return (
        <FileHead
          file={file}
          isFolded={one.isFolded}
          isEditing={isEditing}
          canEdit={texts !== undefined && file.change.after !== null && (file.change.hunks?.length ?? 0) > 0}
          onFold={onFold}
          onEdit={onEdit}
        />
      );
    case 'run': {
      const run = diff?.runs[row.run];
      return (
        diff &&
        run && <RunBar file={file} diff={diff} run={run} index={row.run} isCurrent={isCurrent} isFirst={isFirst} />
      );
    }
    case 'fold':
      return (
        <button
          type="button"
          className="flex h-6 w-full items-center bg-inset px-3 text-left text-2xs text-soft hover:bg-hover hover:text-ink"
          onClick={() => onOpen(row.from)}
        >
          ⋯ {words.review.folded(row.count)}
        </button>
      );
    case 'line':
    case 'pair':
      return (
        <DiffLine
          row={row}
          colours={colours}
          words={diff && row.run >= 0 ? wordsOfRun(diff, row) : undefined}
          texts={commented}
        />
      );
    case 'loading':
      return <div aria-hidden className="skeleton m-3 h-8" />;
    case 'failed':
      return (
        <p role="alert" className="p-4 text-center text-bad">
          {row.message}
        </p>
      );
    case 'note':
      return <NoHunks change={file.change} before={row.contents.before} after={row.contents.after} />;
    case 'editor':
      return (
        file.review &&
        texts && (
          <div style={{ height: editorHeight(texts.after) }}>
            <FileEditor
              key={`${file.key} ${file.change.after}`}
              path={file.change.path}
              hunks={file.review.hunks}
              before={texts.before}
              after={texts.after}
              decision={file.review.decision}
              onDecide={file.review.onDecide}
            />
          </div>
        )
      );
  }
}

/** What was written is in the file by now; what waits is not. */
function commentedTexts({ old, now }: FileDiff, path: string, oldPath: string, isWaiting: boolean) {
  const textOf = (of: CommentedText['of'], name: string, lines: readonly string[]): CommentedText => ({
    path: name,
    of,
    lineAt: (number) => lines[number - 1] ?? '',
  });
  return { old: textOf('before', oldPath, old), now: textOf(isWaiting ? 'proposed' : 'file', path, now) };
}

/** As much as the text takes, at most two thirds of the window: it scrolls in itself. */
function editorHeight(text: string): number {
  return Math.min(Math.max(160, text.split('\n').length * lineHeightPx + 60), Math.round(window.innerHeight * 0.66));
}
