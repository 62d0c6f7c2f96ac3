import { maxResultCharacters } from './clipText.ts';

/** The first entries of a list whose JSON stays within the size of a result. */
export function clipMatches<T>(
  matches: readonly T[],
  limit = maxResultCharacters,
): { readonly matches: readonly T[]; readonly truncated: boolean } {
  let size = 0;
  for (const [index, match] of matches.entries()) {
    size += JSON.stringify(match).length + 1;
    if (size > limit) return { matches: matches.slice(0, index), truncated: true };
  }
  return { matches, truncated: false };
}
