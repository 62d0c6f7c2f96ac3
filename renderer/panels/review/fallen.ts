import { moveEdits } from '../../../shared/text/moveEdits.ts';
import type { WaitingChange } from '../../mirror/selectors.ts';
import { composeEdited, type Decision, regionOf } from './verdict.ts';

const none: readonly number[] = [];

/**
 * The hunks that fall because they build on lines of an edit below them that are not kept, by the key of their file: what the
 * engine leaves out of an answer, told before it is given. Only edits of one file that lie on top of each other are looked at.
 */
export function fallenHunks(
  waiting: readonly WaitingChange[],
  keyOf: (file: WaitingChange) => string,
  decisionOf: (file: WaitingChange) => Decision,
  textsOf: (file: WaitingChange) => { readonly before: string; readonly after: string } | undefined,
): Readonly<Record<string, readonly number[]>> {
  const fallen: Record<string, readonly number[]> = {};
  for (const layers of Map.groupBy(waiting, ({ change }) => change.path).values()) {
    if (layers.length === 1) continue;
    /** What the layers below leave of the file; nothing as long as a text is missing. */
    let below: string | undefined = layers[0] && textsOf(layers[0])?.before;
    for (const file of layers) {
      const texts = textsOf(file);
      if (!texts || below === undefined) break;
      const { hunks } = file.change;
      const decision = decisionOf(file);
      const kept = hunks.map((_, index) => index).filter((index) => !decision.rejected.includes(index));
      const isTyped = decision.edited !== null && kept.length > 0;
      const wanted = isTyped ? composeEdited(texts.before, hunks, decision.edited, decision.rejected) : texts.after;
      const runs = kept.flatMap((index) => {
        const hunk = hunks[index];
        if (!hunk) return [];
        const { after, lines } = regionOf(hunk);
        const aStart = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
        return [{ aStart, aEnd: aStart + hunk.oldLines, bStart: after, bEnd: after + lines }];
      });
      const moved = isTyped ? moveEdits(texts.before, wanted, below) : moveEdits(texts.before, wanted, below, runs);
      // A typed text is taken whole or not at all.
      const isGone = isTyped && moved.lost.length > 0;
      fallen[keyOf(file)] = isGone ? kept : isTyped ? none : moved.lost.flatMap((at) => kept[at] ?? []);
      if (!isGone) below = moved.text;
    }
  }
  return fallen;
}
