import { compareBytes } from '../../workspace/byteOrder.ts';

/**
 * Keeps the matches that come first by path, whatever order the files come in, in memory bounded by the limit plus the
 * matches of one file.
 */
export interface FirstFiles<T> {
  /** False when the matches of this file cannot be among the first ones. */
  wants(file: string): boolean;
  add(file: string, matches: readonly T[]): void;
  /** In the order of paths; at most `limit`. */
  matches(): readonly T[];
}

export function keepFirstFiles<T>(limit: number): FirstFiles<T> {
  const files: { readonly file: string; readonly matches: readonly T[] }[] = [];
  let count = 0;
  const placeOf = (file: string) => {
    let low = 0;
    let high = files.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(files[middle]?.file ?? '', file) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    wants: (file) => count < limit || compareBytes(file, files.at(-1)?.file ?? '') < 0,
    add(file, matches) {
      if (matches.length === 0) return;
      files.splice(placeOf(file), 0, { file, matches });
      count += matches.length;
      for (let last = files.at(-1); last && count - last.matches.length >= limit; last = files.at(-1)) {
        count -= last.matches.length;
        files.pop();
      }
    },
    matches: () => files.flatMap(({ matches }) => matches).slice(0, limit),
  };
}
