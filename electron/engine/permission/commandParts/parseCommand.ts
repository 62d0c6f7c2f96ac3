import { parseCmdExe } from './cmdExe.ts';
import { readCommands } from './grammar.ts';
import { type DraftPart, finishedRedirect, type Scan, stop, Unparsable } from './scan.ts';
import { type CommandPart, isLiteral, type ParsedCommand } from './types.ts';

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
export function parseCommand(text: string, { platform = 'linux' }: ParseOptions = {}): ParsedCommand {
  const scan: Scan = {
    text,
    at: 0,
    parts: [],
    functions: [],
    loops: [],
    ambiguous: new Set(),
    pending: [],
    waitingOutside: 0,
    places: [],
    piped: false,
    depth: 0,
    commands: readCommands,
  };
  const seen = () => ({
    parts: scan.parts.filter(isUsed).map(finished),
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

function isUsed(part: DraftPart): boolean {
  return part.words.length + part.assignments.length + part.redirects.length > 0;
}

function finished({ kind, words, assignments, redirects, places, piped }: DraftPart): CommandPart {
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
