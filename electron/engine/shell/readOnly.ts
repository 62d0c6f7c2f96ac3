import { type Command, commandOfArgv, isLiteral, type ParsedLine, type Redirect, type Word } from './parse/line.ts';
import { type ParseOptions, parseLine } from './parse/parseLine.ts';
import { isUgrep } from './programs/grep.ts';
import { allLiteral, keepsTo } from './programs/options.ts';
import { isPlainCondition } from './programs/plainCondition.ts';
import { exactProgram, onlyReads } from './programs/programs.ts';
import { deepCommands } from './unwrap.ts';

/**
 * Whether a command line is proven to change nothing: every simple command is a known reading program with reading
 * options, nothing is redirected to a file, and nothing changes what a name means. What is not proven counts as writing.
 * A proof of the text, not of the machine: programs are found by PATH, and git obeys the repository's own settings.
 */
export function isReadOnly(text: string, options: ParseOptions = {}): boolean {
  if (mayEvaluate(text)) return false;
  const parsed = parseLine(text, options);
  if (parsed.unparsable !== undefined || parsed.ambiguous.length > 0 || parsed.functions.length > 0) return false;
  if (options.platform === 'win32' && parsed.commands.some(hasSwitches)) return false;
  return parsed.commands.length > 0 && parsed.commands.every(isReadOnlyCommand) && !movesToRepository(parsed);
}

/** The same for a program and its words, which no shell reads. */
export function isReadOnlyArgv(argv: readonly string[], platform?: NodeJS.Platform): boolean {
  const command = commandOfArgv(argv);
  return !(platform === 'win32' && hasSwitches(command)) && isReadOnlyCommand(command);
}

/** Programs of Windows take options with a slash: `sort a /O b` writes. */
function hasSwitches({ argv }: Command): boolean {
  return argv[0]?.toLowerCase() !== 'findstr' && argv.slice(1).some((word) => word.startsWith('/'));
}

/** Whether git is among what it runs. */
export function runsGit(command: Command): boolean {
  const line = { commands: [command], functions: [], loops: [], ambiguous: [] };
  return deepCommands(line).commands.some(({ argv }) => bareName(argv[0] ?? '') === 'git');
}

/** Behind `cd`, git obeys the settings of another repository, programs that they name included; as `git -C` it is not proven. */
function movesToRepository(parsed: ParsedLine): boolean {
  const names = deepCommands(parsed).commands.map(({ argv }) => bareName(argv[0] ?? ''));
  return names.includes('cd') && names.includes('git');
}

/** One command on its own. Assignments, groups, functions and the background are not proven. */
export function isReadOnlyCommand(command: Command): boolean {
  if (command.assignments.length > 0) return false;
  if (
    command.places.some(
      (place) => place === 'subshell' || place === 'group' || place === 'function' || place === 'background',
    )
  )
    return false;
  if (!command.redirects.every(isHarmless) || command.words.some(evaluates)) return false;
  const [program, ...rest] = command.words;
  if (command.kind === 'condition') return isPlainCondition(command);
  if (command.kind === 'redirects') return true;
  if (!program) return command.redirects.length > 0;
  if (!isLiteral(program)) return false;
  const name = bareName(program.value);
  if (name === undefined) return false;
  if (exactProgram(name)?.shell === 'posix' && rest.length === 2) return isReadOnlyScript(rest[0], rest[1]);
  if (name === 'xargs') return isReadOnlyXargs(rest);
  if (name === 'time' && rest.length > 0)
    return isReadOnlyCommand({ ...command, argv: command.argv.slice(1), words: rest });
  return readsOnly(name, rest);
}

function evaluates(word: Word): boolean {
  return word.pieces.some(
    (piece) => piece.kind === 'arithmetic' || (piece.kind === 'variable' && mayEvaluate(piece.text)),
  );
}

/** Only names that PATH resolves, and the system's own folders: `./ls` may be anything. */
function bareName(word: string): string | undefined {
  return /^(?:\/usr\/bin\/|\/bin\/)?([^/\\]+)$/.exec(word)?.[1];
}

function isHarmless({ op, word, write, body }: Redirect): boolean {
  if (op === '<<' || op === '<<-') return body !== undefined;
  if (op === '<<<') return true;
  if (!isLiteral(word)) return false;
  if (write) return word.value === '/dev/null';
  // bash opens network connections for these names.
  return !/^\/dev\/(?:tcp|udp)\//.test(word.value);
}

function isReadOnlyScript(flag: Word | undefined, script: Word | undefined): boolean {
  if (!flag || !script || !isLiteral(script)) return false;
  return isLiteral(flag) && /^-l?c$/.test(flag.value) && isReadOnly(script.value);
}

/** The words that xargs adds are unknown, so only programs without harmful options may follow. */
function isReadOnlyXargs(words: readonly Word[]): boolean {
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index];
    const value = word?.value ?? '';
    if (!word || !isLiteral(word)) return false;
    if (/^-[nLP]$/.test(value)) {
      index += 1;
      if (!/^\d+$/.test(words[index]?.value ?? '')) return false;
    } else if (value === '-I') {
      index += 1;
      if (!mark.test(words[index]?.value ?? '')) return false;
    } else if (!/^-(?:0|r|n\d+|L\d+|P\d+)$/.test(value) && !(value.startsWith('-I') && mark.test(value.slice(2))))
      break;
  }
  const program = words[index];
  return program !== undefined && isLiteral(program) && onlyReads(program.value);
}

/** What xargs replaces must not stand in the name of the program. */
const mark = /^[{}%@_]+$/;

/** True when the program of exactly this name with these words is proven to change nothing. */
function readsOnly(name: string, words: readonly Word[]): boolean {
  const { reads = false, versions } = exactProgram(name) ?? {};
  if (reads === true) return !(name.endsWith('grep') && isUgrep(words));
  const line = words.map(({ value }) => value).join(' ');
  // No word of a version line holds a blank.
  if (allLiteral(words) && words.length > 0 && versions?.split(' | ').includes(line) === true)
    return line.split(' ').length === words.length;
  if (typeof reads === 'function') return reads(words);
  return reads !== false && keepsTo(words, reads);
}

/**
 * Why an expansion of a line cannot be proven harmless: arithmetic and `${x:=…}` set variables, PATH among them;
 * `${x@P}`, `${!x}` and subscripts evaluate what the variable holds, commands included. Looked for in the text itself, so
 * that no place of the grammar is left out.
 */
export function mayEvaluate(text: string): boolean {
  if (/\(\(|\$\[|\$\{[^}]*=/.test(text)) return true;
  return [...text.matchAll(/\$\{/g)].some(({ index }) => {
    plain.lastIndex = index;
    return !plain.test(text);
  });
}

const plain =
  /\$\{(?:#?(?:[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?|\d+|[@*#?$!-])\}|(?:[A-Za-z_]\w*|\d+|[@*])(?:\[(?:\d+|[@*])\])?(?::?[-+?]|##?|%%?|\/|\^\^?|,,?|:\d+(?::\d+)?\}))/y;
