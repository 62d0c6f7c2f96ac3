/**
 * Path globs of rules: `*` and `?` stay within a name, `**` spans folders, a pattern that ends with `/` means everything
 * below. Linear in pattern times path: a rules file must not be able to stall the engine (J5).
 */
export function pathMatches(pattern: string, path: string, { fold = false } = {}): boolean {
  const normal = (text: string) => (fold ? text.normalize('NFC').toLowerCase() : text);
  const wanted = normal(pattern.endsWith('/') ? `${pattern}**` : pattern.replace(/^\.\//, '')).split('/');
  const names = normal(path).split('/');
  return sequenceMatches(wanted, names, (want) => want === '**', wildcardMatches);
}

function wildcardMatches(pattern: string, name: string): boolean {
  return sequenceMatches(
    [...pattern],
    [...name],
    (char) => char === '*',
    (want, char) => want === '?' || want === char,
  );
}

/** The classic two-pointer wildcard match: on a mismatch only the last star is retried. */
function sequenceMatches(
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
