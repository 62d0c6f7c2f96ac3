/**
 * Whether the whole text fits a pattern in which `*` stands for any characters, `?` for one, and all others for themselves.
 * Goes back only to the last star, so it is never slower than the product of the lengths.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  const wanted = [...pattern];
  const given = [...text];
  let at = 0;
  let want = 0;
  let star = -1;
  let resume = 0;
  while (at < given.length) {
    const sign = wanted[want];
    if (sign === '*') {
      star = want;
      resume = at;
      want += 1;
    } else if (sign !== undefined && (sign === '?' || sign === given[at])) {
      want += 1;
      at += 1;
    } else if (star >= 0) {
      want = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (wanted[want] === '*') want += 1;
  return want === wanted.length;
}
