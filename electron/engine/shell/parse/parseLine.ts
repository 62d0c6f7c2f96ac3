import { parseCmdExe } from './cmdExe.ts';
import { readCommands } from './grammar.ts';
import { type Command, isLiteral, type ParsedLine } from './line.ts';
import { type DraftCommand, finishedRedirect, type Scan, stop, Unparsable } from './scan.ts';

export interface ParseOptions {
  /** `win32` reads the line as cmd.exe does, everything else as sh and bash do. */
  readonly platform?: NodeJS.Platform;
}

/** Longer lines are not read by a person before they are approved (C3). In UTF-16 units. */
const maxLength = 10_000;

/**
 * The simple commands of a shell line, wherever they stand: behind operators, in compound commands, substitutions and
 * here-documents (C1). Never throws; what has no certain meaning for both `sh` and `bash` has `unparsable` set.
 */
export function parseLine(text: string, { platform = 'linux' }: ParseOptions = {}): ParsedLine {
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
    grammar: readCommands,
  };
  const seen = () => ({
    commands: scan.commands.filter(isUsed).map(finished),
    functions: scan.functions,
    loops: scan.loops,
    ambiguous: [...scan.ambiguous],
  });
  try {
    if (text.length > maxLength) stop(`it is longer than ${maxLength.toLocaleString('en')} characters`);
    if (text.includes('\0')) stop('it contains a NUL character');
    if (text.trim() === '') stop('it is empty');
    if (platform === 'win32') parseCmdExe(scan);
    else readCommands(scan, undefined);
    return seen();
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    return { ...seen(), unparsable: error.message };
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
