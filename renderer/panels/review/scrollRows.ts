import { type DiffRow, diffRows, type FileDiff, fileDiff } from './diffRows.ts';
import type { ScrollFile } from './scrollFile.ts';
import { type BothContents, contentsKey } from './useContents.ts';
import { undecided } from './verdict.ts';

/** One row of the scroll; its key is its own within the file. */
export type ScrollRow = { readonly key: string } & (
  | DiffRow
  | { readonly kind: 'head' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Of a file without lines to compare. */
  | { readonly kind: 'note'; readonly contents: BothContents }
  | { readonly kind: 'editor' }
);

export interface DrawnFile {
  readonly file: ScrollFile;
  readonly isFolded: boolean;
  readonly texts: { readonly before: string; readonly after: string } | undefined;
  readonly diff: FileDiff | undefined;
  readonly rows: readonly ScrollRow[];
  /** What it was made of; the same parts make the same rows. */
  readonly of: readonly unknown[];
}

interface Look {
  readonly contents: ReadonlyMap<string, BothContents>;
  readonly isBeside: boolean;
  /** The opened folds of each file, by their first line. */
  readonly opened: ReadonlyMap<string, ReadonlySet<number>>;
  /** What the person folded or unfolded; else a file that was reviewed is folded. */
  readonly folded: Readonly<Record<string, boolean>>;
  readonly editing: string | null;
}

const noFolds: ReadonlySet<number> = new Set();

/** The files with their rows. A file of which nothing has changed keeps what was made of it before. */
export function drawnFiles(
  files: readonly ScrollFile[],
  { contents, isBeside, opened, folded, editing }: Look,
  before: ReadonlyMap<string, DrawnFile>,
): readonly DrawnFile[] {
  return files.map((file) => {
    const { change, review, key } = file;
    const both = contents.get(contentsKey(change));
    const decision = review?.decision ?? undecided;
    const isFolded = folded[key] ?? decision.isRead === true;
    const isEdited = editing === key;
    const folds = opened.get(key) ?? noFolds;
    const rest = [both, isBeside, folds, isFolded, isEdited];
    const of = [change, decision.rejected, decision.edited, review?.hunks, ...rest];
    const known = before.get(key);
    if (known && of.every((part, index) => part === known.of[index])) return { ...known, file };
    return { file, isFolded, of, ...bodyOf(file, both, { isBeside, folds, isFolded, isEdited }) };
  });
}

function bodyOf(
  { change, review }: ScrollFile,
  both: BothContents | undefined,
  look: {
    readonly isBeside: boolean;
    readonly folds: ReadonlySet<number>;
    readonly isFolded: boolean;
    readonly isEdited: boolean;
  },
): Pick<DrawnFile, 'texts' | 'diff' | 'rows'> {
  const head: ScrollRow = { kind: 'head', key: 'head' };
  const only = (row: ScrollRow) => ({ texts: undefined, diff: undefined, rows: look.isFolded ? [head] : [head, row] });
  if (!both) return only({ kind: 'loading', key: 'loading' });
  const { before, after } = both;
  const failed = before.state === 'failed' ? before : after.state === 'failed' ? after : undefined;
  if (failed) return only({ kind: 'failed', key: 'failed', message: failed.message });
  if (before.state !== 'text' || after.state !== 'text' || change.binary || before.text === after.text)
    return only({ kind: 'note', key: 'note', contents: both });
  const texts = { before: before.text, after: after.text };
  const diff = fileDiff(texts.before, texts.after, change.hunks ?? review?.hunks, review?.decision ?? undecided);
  if (look.isFolded) return { texts, diff, rows: [head] };
  if (look.isEdited) return { texts, diff, rows: [head, { kind: 'editor', key: 'editor' }] };
  const rows = diffRows(diff, look.isBeside, look.folds).map((row): ScrollRow => ({ ...row, key: keyOf(row) }));
  return { texts, diff, rows: [head, ...rows] };
}

function keyOf(row: DiffRow): string {
  if (row.kind === 'run') return `run ${row.run}`;
  if (row.kind === 'fold') return `fold ${row.from}`;
  return `${row.kind} ${row.old?.number ?? ''}:${row.now?.number ?? ''}`;
}

/** Where the runs of all files stand in the scroll, in order. */
export interface RunStop {
  readonly key: string;
  readonly file: number;
  readonly run: number;
  readonly row: number;
}

export function runRows(
  drawn: readonly DrawnFile[],
  rows: readonly { readonly row: ScrollRow; readonly file: number }[],
): readonly RunStop[] {
  return rows.flatMap(({ row, file }, index) =>
    row.kind === 'run' ? [{ key: drawn[file]?.file.key ?? '', file, run: row.run, row: index }] : [],
  );
}
