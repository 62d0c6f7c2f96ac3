/** What a program text does besides changing what it prints. */
export interface TextEffects {
  /** Shell lines that it runs. */
  readonly runs: readonly string[];
  /** Names of files that it writes; null where a name is only known when it runs. */
  readonly writes: readonly (string | null)[];
  /** It runs what it reads, so that nobody knows. */
  readonly runsInput: boolean;
}

const address = /\s*(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^/\\\n])*\/[IM]*|\\([^\n\\])(?:\\.|(?!\1)[^\\\n])*\1[IM]*)/y;
const second = /\s*,\s*(?:[+~]?\d+|\$|\/(?:\\.|[^/\\\n])*\/[IM]*|\\([^\n\\])(?:\\.|(?!\1)[^\\\n])*\1[IM]*)/y;

/** The commands `e`, `w`, `W` and the flags `e`, `w` of a script of sed (manual of GNU sed 4.9); nothing if it is not understood. */
export function sedEffects(script: string): TextEffects | undefined {
  const runs: string[] = [];
  const writes: string[] = [];
  let runsInput = false;
  let at = 0;
  const matched = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const found = form.exec(script)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const line = (): string => (matched(/[^\n]*/y) ?? '').trim();
  while (at < script.length) {
    matched(/[\s;{}]+/y);
    if (at >= script.length) break;
    matched(address);
    matched(second);
    matched(/\s*!?\s*/y);
    const command = script[at] ?? '';
    at += 1;
    if (command === 'e') {
      const text = line();
      if (text === '') runsInput = true;
      else runs.push(text);
    } else if (command === 'w' || command === 'W') writes.push(line());
    else if (command === 'r' || command === 'R' || command === '#') line();
    else if (command === 's' || command === 'y') {
      const body = matched(/([^\n\\])(?:\\[^]|(?!\1)[^\\])*\1(?:\\[^]|(?!\1)[^\\])*\1/y);
      if (body === undefined) return undefined;
      const flags = command === 's' ? (matched(/[gpiImMe0-9]*/y) ?? '') : '';
      if (flags.includes('e')) {
        runsInput = true;
        runs.push(
          body
            .slice(1, -1)
            .replaceAll(/\\([^])/g, '$1')
            .split(body[0] ?? '/')
            .slice(1)
            .join('/'),
        );
      }
      if (command === 's' && script[at] === 'w') {
        at += 1;
        writes.push(line());
      }
    } else if ('aic'.includes(command)) matched(/(?:\\[^]|[^\\\n])*/y);
    else if ('btT:'.includes(command)) matched(/[^;\n}]*/y);
    else if ('qQlL'.includes(command)) matched(/\s*\d*/y);
    else if (!'=dDgGhHnNpPxzFv{}'.includes(command)) return undefined;
  }
  return { runs, writes, runsInput };
}
