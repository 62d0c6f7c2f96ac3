import type { Command } from './parse/line.ts';
import { commandOfArgv } from './parse/line.ts';
import { parseLine } from './parse/parseLine.ts';
import { type Program, programName, split } from './programs/program.ts';
import { programOf } from './programs/programs.ts';
import { deepCommands } from './unwrap.ts';

type Patterns = Readonly<Record<string, number>>;

/**
 * Seconds a command is likely to take, or null when nothing is known. `slowCommands` maps a pattern of one or more words
 * to seconds and wins over what is known of the programs. Pure.
 */
export function estimateSeconds(command: string, slowCommands: Patterns = {}): number | null {
  return longest(deepCommands(parseLine(command, { starts: true })).commands, slowCommands);
}

/** The same for words that are started without a shell. */
export function estimateWords(argv: readonly string[], slowCommands: Patterns = {}): number | null {
  const line = { commands: [commandOfArgv(argv)], functions: [], loops: [], ambiguous: [] };
  return longest(deepCommands(line).commands, slowCommands);
}

function longest(commands: readonly Command[], slow: Patterns): number | null {
  const patterns = Object.entries(slow).map(([pattern, seconds]) => ({
    ...readWords(pattern.trim().split(/\s+/)),
    seconds,
  }));
  const found = commands.flatMap(({ argv }) => {
    const words = readWords(argv);
    const own = patterns.find((pattern) => pattern.name !== '' && pattern.name === words.name && isIn(pattern, words));
    return own ? [own.seconds] : secondsOf(words);
  });
  return found.length === 0 ? null : Math.max(...found);
}

function secondsOf({ program, plain, rest }: ReadWords): readonly number[] {
  const { seconds = {}, goals } = program;
  if (typeof seconds === 'number') return [seconds];
  const fitting = Object.entries(seconds).filter(([words]) => {
    // Without a verb it is slow only if nothing is asked of it.
    if (words === '') return plain.length === 0 && !rest.some((word) => /^(?:--version|-v|--help|-h)$/.test(word));
    return follow(split(words), plain, goals);
  });
  return fitting.length === 0 ? [] : [Math.max(...fitting.map(([, time]) => time))];
}

interface ReadWords {
  readonly program: Program;
  readonly name: string;
  readonly rest: readonly string[];
  /** `rest` without options and their values, in lower case. */
  readonly plain: readonly string[];
}

/** Patterns and commands are read alike: what is one program under two names is so in both. */
function readWords([first = '', ...rest]: readonly string[]): ReadWords {
  const program = programOf(first);
  const other = program.standsFor?.(rest);
  if (other) return readWords([other[0], ...other[1]]);
  const valued = program.valued ? split(program.valued) : [];
  const plain = rest.flatMap((word, index) =>
    valued.includes(rest[index - 1] ?? '') || /^[-+]/.test(word) ? [] : [word.toLowerCase()],
  );
  return { program, name: split(program.names)[0] || programName(first), rest, plain };
}

const isIn = (pattern: ReadWords, words: ReadWords): boolean => follow(pattern.plain, words.plain, words.program.goals);

const follow = (wanted: readonly string[], plain: readonly string[], anywhere: true | undefined): boolean =>
  wanted.every((word, index) => (anywhere ? plain.includes(word) : plain[index] === word));
