import { stop } from './scan.ts';

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  '?': '?',
};

const coded: readonly (readonly [RegExp, number])[] = [
  [/^x([0-9a-fA-F]{1,2})/, 16],
  [/^u([0-9a-fA-F]{1,4})/, 16],
  [/^U([0-9a-fA-F]{1,8})/, 16],
  [/^([0-7]{1,3})/, 8],
];

/**
 * The value of a `$'…'` text (bash manual, ANSI-C quoting). An escaped quote ends the whole reading: `sh` without this
 * quoting would end the string there and run what follows.
 */
export function decodeAnsiC(body: string): string {
  let value = '';
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at] ?? '';
    if (char !== '\\') {
      value += char;
      continue;
    }
    const rest = body.slice(at + 1, at + 10);
    const known = simple[rest[0] ?? ''];
    if (known !== undefined) {
      value += known;
      at += 1;
      continue;
    }
    const control = /^c(.)/su.exec(rest);
    if (control) {
      value += String.fromCodePoint((control[1] ?? '').charCodeAt(0) & 31);
      at += 2;
      continue;
    }
    const match = coded.map(([form, base]) => ({ found: form.exec(rest), base })).find(({ found }) => found !== null);
    if (!match?.found) {
      value += '\\';
      continue;
    }
    const code = Number.parseInt(match.found[1] ?? '', match.base);
    if (code === 0 || code > 0x10_ff_ff) stop("a $'…' text contains a character that ends strings");
    value += String.fromCodePoint(code);
    at += match.found[0].length;
  }
  return value;
}
