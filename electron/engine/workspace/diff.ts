import type { Hunk } from '../../../shared/model/change.ts';
import { type DiffRun, diffRuns } from '../../../shared/text/diffRuns.ts';
import { lineEndOf, splitAnyLines, splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import type { TextStyle } from './textFile.ts';

/** The runs of lines in which two texts differ, as hunks without context. */
export function hunksOfRuns(runs: readonly DiffRun[]): readonly Hunk[] {
  return runs.map(hunkOf);
}

function hunkOf({ aStart, aEnd, bStart, bEnd }: DiffRun, index: number): Hunk {
  const oldLines = aEnd - aStart;
  const newLines = bEnd - bStart;
  // A side without lines starts at the line before the gap, as in `diff -U0`.
  return {
    index,
    oldStart: oldLines === 0 ? aStart : aStart + 1,
    oldLines,
    newStart: newLines === 0 ? bStart : bStart + 1,
    newLines,
  };
}

/** `before` with only some of the runs in which `after` differs. */
export function composeHunks(
  before: string,
  after: string,
  keep: readonly number[],
  runs: readonly DiffRun[] = diffRuns(splitLines(before), splitLines(after)),
): string {
  const old = splitLines(before);
  const proposed = splitLines(after);
  const kept = new Set(keep);
  const result: string[] = [];
  let from = 0;
  for (const [index, run] of runs.entries()) {
    if (!kept.has(index)) continue;
    append(result, old, from, run.aStart);
    append(result, proposed, run.bStart, run.bEnd);
    from = run.aEnd;
  }
  append(result, old, from, old.length);
  return result.join('');
}

/** Spreading a large array into arguments would overflow the stack. */
function append(target: string[], source: readonly string[], from: number, to: number): void {
  for (let index = from; index < to; index += 1) target.push(source[index] ?? '');
}

/**
 * What a person left in an editor, written down so that only the lines they changed differ: editors make all line ends
 * alike, here each unchanged line keeps its own. Inserted lines take the file's usual end.
 */
export function mergeEdited(before: { readonly text: string } & Pick<TextStyle, 'eol'>, editedText: string): string {
  const old = splitAnyLines(before.text);
  const edited = splitAnyLines(editedText);
  const runs = diffRuns(old.map(withoutLineEnd), edited.map(withoutLineEnd));
  const result: string[] = [];
  let from = 0;
  for (const run of runs) {
    append(result, old, from, run.aStart);
    for (const line of edited.slice(run.bStart, run.bEnd)) result.push(withoutLineEnd(line) + before.eol);
    from = run.aEnd;
  }
  append(result, old, from, old.length);
  const endsWithNewline = edited.length > 0 && lineEndOf(edited.at(-1) ?? '') !== '';
  return result
    .map((line, index) => {
      if (index === result.length - 1 && !endsWithNewline) return withoutLineEnd(line);
      return lineEndOf(line) === '' ? line + before.eol : line;
    })
    .join('');
}

/** How many lines come and go. */
export function countLines(hunks: readonly Hunk[]): { readonly additions: number; readonly deletions: number } {
  return {
    additions: hunks.reduce((sum, hunk) => sum + hunk.newLines, 0),
    deletions: hunks.reduce((sum, hunk) => sum + hunk.oldLines, 0),
  };
}
