/** Whether the whole text fits a pattern in which `*` stands for any characters, `?` for one, and all others for themselves. */
export function fitsWildcard(pattern: string, text: string): boolean {
  return fitsSequence(
    [...pattern],
    [...text],
    (char) => char === '*',
    (want, char) => want === '?' || want === char,
  );
}

/**
 * Whether all that is given fits what is wanted, where a star stands for any number of items. On a mismatch only the last
 * star is retried, so it is never slower than the product of the lengths.
 */
export function fitsSequence(
  wanted: readonly string[],
  given: readonly string[],
  isStar: (want: string) => boolean,
  same: (want: string, item: string) => boolean,
): boolean {
  let at = 0;
  let want = 0;
  let star = -1;
  let resume = 0;
  while (at < given.length) {
    const next = wanted[want];
    if (next !== undefined && isStar(next)) {
      star = want;
      resume = at;
      want += 1;
    } else if (next !== undefined && same(next, given[at] ?? '')) {
      at += 1;
      want += 1;
    } else if (star >= 0) {
      want = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (isStar(wanted[want] ?? '')) want += 1;
  return want === wanted.length;
}
