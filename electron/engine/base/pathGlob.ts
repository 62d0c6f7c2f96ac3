import { fitsSequence, fitsWildcard } from '../../../shared/text/wildcard.ts';

/**
 * Path globs of rules: `*` and `?` stay within a name, `**` spans folders, a pattern that ends with `/` means everything
 * below. Linear in pattern times path: a rules file must not be able to stall the engine (J5).
 */
export function pathMatches(pattern: string, path: string, { fold = false } = {}): boolean {
  const normal = (text: string) => (fold ? text.normalize('NFC').toLowerCase() : text);
  const wanted = normal(pattern.endsWith('/') ? `${pattern}**` : pattern.replace(/^\.\//, '')).split('/');
  const names = normal(path).split('/');
  return fitsSequence(wanted, names, (want) => want === '**', fitsWildcard);
}

/** A name's pattern as a shell writes it, for `pathMatches`: `[a-z]` is any character. */
export function shellGlob(text: string): string {
  return text.replaceAll(/\[[!^]?\]?[^\]/]*\]/g, '?');
}

/** Whether two path globs can mean one path; a star of the second does not begin a name with a dot, as in shells. */
export function globsMeet(pattern: string, given: string): boolean {
  const split = (text: string) => text.normalize('NFC').toLowerCase().replace(/^\.\//, '').split('/');
  const wanted = split(pattern.endsWith('/') ? `${pattern}**` : pattern);
  return sequencesMeet(wanted, split(shellGlob(given)), (name) => name === '**', namesMeet);
}

function namesMeet(pattern: string, given: string): boolean {
  if (pattern.startsWith('.') && /^[*?]/.test(given)) return false;
  return sequencesMeet(
    [...pattern],
    [...given],
    (char) => char === '*',
    (a, b) => a === '?' || b === '?' || a === b,
  );
}

/** A table of which beginnings of both can be the same; linear in the product of their lengths. */
function sequencesMeet(
  first: readonly string[],
  second: readonly string[],
  isStar: (item: string) => boolean,
  same: (a: string, b: string) => boolean,
): boolean {
  let row: boolean[] = [true];
  for (const [j, b] of second.entries()) row.push(row[j] === true && isStar(b));
  for (const a of first) {
    const next: boolean[] = [row[0] === true && isStar(a)];
    for (const [j, b] of second.entries()) {
      const skipsFirst = isStar(a) && (row[j + 1] === true || next[j] === true);
      const skipsSecond = isStar(b) && (next[j] === true || row[j + 1] === true);
      next.push(skipsFirst || skipsSecond || (row[j] === true && same(a, b)));
    }
    row = next;
  }
  return row[second.length] === true;
}
