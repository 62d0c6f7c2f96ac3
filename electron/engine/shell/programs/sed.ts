import type { Word } from '../parse/line.ts';
import { allLiteral, mayBecomeOption } from './options.ts';
import type { Program } from './program.ts';
import { type TextEffects, textRuns } from './scriptTexts.ts';

const inPlace = /^-[A-Za-z]*[iI]|^--in-place/;

export const sed: Program = {
  names: 'sed gsed',
  words: 'messages',
  reads: readsOnly,
  // What a script runs and writes is judged by itself.
  opens: (words) =>
    words.every(
      (word) =>
        !mayBecomeOption(word) &&
        (!word.value.startsWith('-') ||
          /^(?:-[nErszul]*e?|--(?:quiet|silent|posix|regexp-extended))$/.test(word.value)),
    ),
  changes: /^-[A-Za-z0-9]*i|^--in-place/,
  tellsWrites: true,
  writes: ({ argv }, names) => {
    if (!argv.some((word) => inPlace.test(word))) return [];
    // The first name is the script, unless an option gives it.
    return argv.some((word) => /^(?:-[nErszui]*[ef]|--expression|--file)/.test(word)) ? names : names.slice(1);
  },
  runs: (command) =>
    textRuns(
      command,
      {
        option: /^(?:-[nErszu]*e|--expression)$/,
        glued: /^(?:-[nErszu]*e|--expression=)(.+)$/s,
        valued: /^(?:-[fl]|--file|--line-length)$/,
      },
      effects,
      'sed',
    ),
  flags: { '': ['i in-place | n quiet silent | e expression | E r regexp-extended', 'efl'] },
};

const address = String.raw`(?:\d+|\$|/(?:\\.|[^/\\])*/)`;
const range = `(?:${address}(?:,(?:${address}|\\+\\d+))?!?)?`;
const print = `${range}[pdqP=]`;
const substitute = String.raw`${range}s([/|,#:@])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiI0-9]*`;
const command = new RegExp(`^(?:${print}|${substitute})$`);
const printCommand = new RegExp(`^${print}$`);

/** One script of printing, deleting and substituting; never `w`, `r`, `e`, `-i`, `-e` or `-f`. */
function readsOnly(words: readonly Word[]): boolean {
  if (!allLiteral(words.filter(({ value }) => value.startsWith('-')))) return false;
  const options = words.filter(({ value }) => value.startsWith('-') && value !== '-');
  if (!options.every(({ value }) => /^(?:-[nErsz]+|--quiet|--silent|--regexp-extended|--posix)$/.test(value)))
    return false;
  const [script, ...files] = words.filter((word) => !options.includes(word));
  if (!script || !allLiteral([script]) || script.value.length > 500) return false;
  // A file name from an expansion could be read as an option, `-i` among them.
  if (files.some(mayBecomeOption) || !allPlain(files)) return false;
  if (command.test(script.value)) return true;
  const steps = script.value.split(';').map((step) => step.trim());
  return steps.every((step) => printCommand.test(step));
}

function allPlain(files: readonly Word[]): boolean {
  return files.every(({ pieces }) => pieces.every((piece) => piece.kind === 'text' || piece.kind === 'glob'));
}

const lineAddress = /\s*(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^/\\\n])*\/[IM]*|\\([^\n\\])(?:\\.|(?!\1)[^\\\n])*\1[IM]*)/y;
const secondAddress = /\s*,\s*(?:[+~]?\d+|\$|\/(?:\\.|[^/\\\n])*\/[IM]*|\\([^\n\\])(?:\\.|(?!\1)[^\\\n])*\1[IM]*)/y;

/** The commands `e`, `w`, `W` and the flags `e`, `w` of a script of sed (manual of GNU sed 4.9); nothing if it is not understood. */
function effects(script: string): TextEffects | undefined {
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
    matched(lineAddress);
    matched(secondAddress);
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
