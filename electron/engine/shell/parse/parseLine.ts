import { parseCmdExe } from './cmdExe.ts';
import { readCommands } from './grammar.ts';
import { type Command, isLiteral, type ParsedLine } from './line.ts';
import { type DraftCommand, finishedRedirect, type Scan, stop, Unparsable } from './scan.ts';

export interface ParseOptions {
  /** `win32` reads the line as cmd.exe does, everything else as sh and bash do. */
  readonly platform?: NodeJS.Platform | undefined;
  /**
   * It is to be started, not judged: any length is read, and `&` between two letters is one of them, as in an address.
   * (A line that has nothing else for a shell to do is then started without one.)
   */
  readonly starts?: boolean;
}

/** Longer lines are not read by a person before they are approved (C3). In UTF-16 units. */
const maxLength = 10_000;

/**
 * The simple commands of a shell line, wherever they stand: behind operators, in compound commands, substitutions and
 * here-documents (C1). Never throws; what has no certain meaning for both `sh` and `bash` has `unparsable` set.
 */
export function parseLine(text: string, { platform = 'linux', starts = false }: ParseOptions = {}): ParsedLine {
  if (text.length > maxRemembered) return parseAnew(text, platform, starts);
  const key = `${platform} ${starts} ${text}`;
  const found = recent.get(key) ?? parseAnew(text, platform, starts);
  recent.delete(key);
  recent.set(key, found);
  for (const [oldest] of recent) {
    if (recent.size <= maxRecent) break;
    recent.delete(oldest);
  }
  return found;
}

/** One call asks several times about one line: how it starts, how long it takes, whether it reads, what rules make of it. */
const recent = new Map<string, ParsedLine>();
const maxRecent = 16;
const maxRemembered = 2_000;

function parseAnew(text: string, platform: NodeJS.Platform, starts: boolean): ParsedLine {
  const scan: Scan = {
    text,
    at: 0,
    commands: [],
    functions: [],
    loops: [],
    ambiguous: new Set(),
    pending: [],
    waitingOutside: 0,
    places: [],
    piped: false,
    depth: 0,
    openQuotes: 0,
    joinsAmpersand: starts,
    grammar: readCommands,
  };
  const seen = () => ({
    commands: scan.commands.filter(isUsed).map(finished),
    functions: scan.functions,
    loops: scan.loops,
    ambiguous: [...scan.ambiguous],
  });
  try {
    if (text.length > maxLength && !starts) stop(`it is longer than ${maxLength.toLocaleString('en')} characters`);
    if (text.includes('\0')) stop('it contains a NUL character');
    if (text.trim() === '') stop('it is empty');
    if (platform === 'win32') parseCmdExe(scan);
    else readCommands(scan, undefined);
    return seen();
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    return {
      ...seen(),
      unparsable: error.message,
      unclosedQuote: scan.openQuotes > 0 && scan.at >= text.length,
    };
  }
}

function isUsed(command: DraftCommand): boolean {
  return command.words.length + command.assignments.length + command.redirects.length > 0;
}

function finished({ kind, words, assignments, redirects, places, piped }: DraftCommand): Command {
  const all = [...words, ...assignments.map(({ value }) => value), ...redirects.map(({ word }) => word)];
  return {
    kind,
    argv: words.map((word) => word.value),
    words,
    assignments,
    redirects: redirects.map(finishedRedirect),
    dynamic: !all.every(isLiteral),
    places,
    piped,
    via: [],
  };
}
