import type { Hunk } from '../../../shared/model/change.ts';
import type { Finding } from '../../../shared/model/rehearsal.ts';
import { proposedHunks } from '../workspace/composeVerdict.ts';
import type { JudgedChange } from './composeJudged.ts';

/** Where a line of the tried content comes from. */
interface Origin {
  /** The line before the proposals; undefined for one that a hunk wrote. */
  readonly line?: number;
  readonly place?: NonNullable<Finding['place']>;
}

/** A kept hunk as it stands in the tried content, with its index in the proposal. */
interface Layer {
  readonly call: string;
  readonly path: string;
  readonly hunks: readonly (Hunk & { readonly shown: number })[];
}

/** Says of the lines of the tried files which hunk wrote them, or where they stood before. */
export function createOrigins(judged: readonly JudgedChange[]): (file: string, line: number) => Origin {
  const layers = Map.groupBy(judged.map(layerOf), ({ path }) => path);
  return (file, line) => {
    let at = line;
    for (const { call, path, hunks } of (layers.get(file) ?? []).toReversed()) {
      // Next to a passage that was taken out is what misses it.
      const hunk = hunks.find(({ newStart, newLines }) => at >= newStart && at < newStart + (newLines || 2));
      if (hunk) return { place: { call, path, hunk: hunk.shown } };
      const above = hunks.filter(({ newStart }) => newStart < at);
      at += above.reduce((sum, { oldLines, newLines }) => sum + oldLines - newLines, 0);
    }
    return { line: at };
  };
}

function layerOf({ call, shown, change, outcome }: JudgedChange): Layer {
  const all = proposedHunks(shown);
  const kept = outcome.edited ? all : all.filter(({ index }) => outcome.kept.includes(index));
  const now = proposedHunks(change);
  const meets = (hunk: Hunk): number =>
    (
      kept.find(
        ({ oldStart, oldLines }) => hunk.oldStart <= oldStart + oldLines && oldStart <= hunk.oldStart + hunk.oldLines,
      ) ?? kept.at(0)
    )?.index ?? 0;
  return {
    call,
    path: change.path,
    // Lines below may have moved where others were left out: then their order tells.
    hunks: now.map((hunk, at) => ({
      ...hunk,
      shown: now.length === kept.length ? (kept[at]?.index ?? 0) : meets(hunk),
    })),
  };
}
