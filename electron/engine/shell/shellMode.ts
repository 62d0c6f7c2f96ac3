import { isLiteral, type Word } from './parse/line.ts';
import { parseLine } from './parse/parseLine.ts';
import { splitWindowsWords } from './parse/windowsWords.ts';

/** How a command line will be run, or why nothing can be run. */
export type ShellMode =
  | { readonly mode: 'shell' }
  | { readonly mode: 'direct'; readonly argv: readonly string[] }
  | { readonly mode: 'error'; readonly message: string };

/** The built-ins that have no use as a program of their own. */
const builtIns = new Set(
  (
    'cd export unset set source . alias unalias eval exec exit return shift trap umask ulimit wait jobs fg bg read ' +
    'local declare : times type command hash'
  ).split(' '),
);

/** Chooses between a shell and starting the program itself. Pure; `platform` as in `process.platform`. */
export function shellMode(command: string, platform: string = process.platform): ShellMode {
  if (command.trim() === '') return { mode: 'error', message: 'command must be provided' };
  if (platform === 'win32') return windowsShellMode(command);
  const { commands, unparsable, unclosedQuote, ambiguous, functions } = parseLine(command.replace(/\r+$/, ''), {
    starts: true,
  });
  if (unclosedQuote) return { mode: 'error', message: 'unterminated quote' };
  const [only] = commands;
  const isPlain =
    only !== undefined &&
    commands.length === 1 &&
    unparsable === undefined &&
    only.assignments.length + only.redirects.length + only.places.length + ambiguous.length + functions.length === 0 &&
    !builtIns.has(only.argv[0] ?? '') &&
    only.words[0]?.raw !== '[[' &&
    only.words.every(isPlainWord) &&
    // Nothing else stands in the line: no `!`, no comment, no line end.
    bare(only.words.map(({ raw }) => raw).join('')) === bare(command);
  return isPlain ? { mode: 'direct', argv: only.argv } : { mode: 'shell' };
}

const bare = (text: string): string => text.replaceAll(/\\\n|[ \t]|\r+$/g, '');

/** An address keeps its `?` and `*`: sh finds no such file and passes them on as they are. Nor does sh know braces. */
function isPlainWord(word: Word): boolean {
  if (isLiteral(word)) return !/^[{}]$/.test(word.raw);
  const isAddress = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(word.raw);
  return word.pieces.every(
    ({ kind, text }) =>
      kind === 'text' ||
      kind === 'brace' ||
      (kind === 'glob' && (isAddress || (text === '[' && !/\[.*\]/s.test(word.value)))),
  );
}

/** Commands that only cmd.exe knows. */
const cmdBuiltins = new Set(
  (
    'assoc break call cd chdir cls color copy date del dir echo endlocal erase exit for ftype goto if md mkdir mklink ' +
    'move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify vol'
  ).split(' '),
);

/** cmd.exe's view: only `"` quotes; `%NAME%` is active inside quotes too. */
function windowsShellMode(command: string): ShellMode {
  let quoted = false;
  let isPlain = true;
  for (const c of command) {
    if (c === '"') quoted = !quoted;
    else if (!quoted && '|&<>^()\n%'.includes(c)) isPlain = false;
  }
  if (quoted) return { mode: 'error', message: 'unterminated quote' };
  if (/%[^%\s]+%/.test(command)) isPlain = false;
  const argv = splitWindowsWords(command);
  const first = argv[0];
  if (first !== undefined && !command.trimStart().startsWith('"') && cmdBuiltins.has(first.toLowerCase()))
    isPlain = false;
  return isPlain ? { mode: 'direct', argv } : { mode: 'shell' };
}

const piece = /(\s+)|'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^]?)|([^\s'"\\]+)|['"]/gy;

/** Splits at blanks with the quoting of the platform; nothing else is interpreted. Undefined when a quote has no end. */
export function splitWords(text: string, platform: string): readonly string[] | undefined {
  if (platform === 'win32') return (text.split('"').length - 1) % 2 === 0 ? splitWindowsWords(text) : undefined;
  const words: string[] = [];
  let word: string | undefined;
  for (const [whole, blank, single, double, escaped, plain] of text.matchAll(piece)) {
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (whole === "'" || whole === '"') return undefined;
    const value = single ?? plain ?? double?.replaceAll(/\\(?:([$`"\\])|\n)/g, '$1') ?? escaped;
    word = (word ?? '') + (whole === '\\' ? whole : whole === '\\\n' ? '' : value);
  }
  return word === undefined ? words : [...words, word];
}
