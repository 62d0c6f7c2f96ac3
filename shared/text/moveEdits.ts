import { type DiffRun, diffRuns } from './diffRuns.ts';
import { splitLines } from './lines.ts';

export interface MovedEdits {
  readonly text: string;
  /** Which of the edits found their lines changed, by their place in the list; they are left out. */
  readonly lost: readonly number[];
}

/**
 * Makes the edits that lead `from` one text `to` another on a third one, as a three-way merge does: each edit goes where its
 * lines stand there. `edits`: those to be made, of all runs in which the two differ. An edit that the third text holds
 * already is neither made again nor lost.
 */
export function moveEdits(
  from: string,
  to: string,
  onto: string,
  edits: readonly DiffRun[] = diffRuns(splitLines(from), splitLines(to)),
): MovedEdits {
  const wanted = splitLines(to);
  const there = splitLines(onto);
  const moves = diffRuns(splitLines(from), there);
  const lost: number[] = [];
  const lines: string[] = [];
  let done = 0;
  for (const [index, edit] of edits.entries()) {
    const brought = wanted.slice(edit.bStart, edit.bEnd);
    const isThere = moves.some(
      ({ aStart, aEnd, bStart, bEnd }) =>
        aStart === edit.aStart && aEnd === edit.aEnd && there.slice(bStart, bEnd).join('') === brought.join(''),
    );
    if (isThere) continue;
    const at = placeAfter(edit, moves);
    if (at === undefined) {
      lost.push(index);
      continue;
    }
    for (; done < at; done += 1) lines.push(there[done] ?? '');
    for (const line of brought) lines.push(line);
    done += edit.aEnd - edit.aStart;
  }
  for (; done < there.length; done += 1) lines.push(there[done] ?? '');
  return { text: lines.join(''), lost };
}

/**
 * Where the lines of an edit begin after these moves; nothing where one of them changed any of the lines. An insertion
 * stands behind what else came at its very place.
 */
function placeAfter({ aStart: start, aEnd: end }: DiffRun, moves: readonly DiffRun[]): number | undefined {
  let place = start;
  for (const { aStart, aEnd, bStart, bEnd } of moves) {
    if (aEnd <= start) place += bEnd - bStart - (aEnd - aStart);
    else if (aStart < end) return undefined;
    else break;
  }
  return place;
}
