import { type ParseOptions, parseCommand } from '../commandParts/parseCommand.ts';
import { type CommandPart, isLiteral, type Redirect, type Word } from '../commandParts/types.ts';
import { shells } from '../commandParts/wrapperTable.ts';
import { freePrograms, readsOnly } from './programs.ts';

/**
 * Whether a command line is proven to change nothing: every simple command is a known reading program with reading
 * options, nothing is redirected to a file, and nothing changes what a name means. What is not proven counts as writing.
 * A proof of the text, not of the machine: programs are found by PATH, and git obeys the repository's own settings.
 */
export function isReadOnly(text: string, options: ParseOptions = {}): boolean {
  if (mayAssign(text)) return false;
  const parsed = parseCommand(text, options);
  if (parsed.unparsable !== undefined || parsed.ambiguous.length > 0 || parsed.functions.length > 0) return false;
  return parsed.parts.length > 0 && parsed.parts.every(isReadOnlyPart);
}

/** Arithmetic and `${x:=…}` can set PATH, wherever they stand. */
export function mayAssign(text: string): boolean {
  return /\(\(|\$\[|\$\{[^}]*=/.test(text);
}

/** One part on its own. Assignments, groups, functions and the background are not proven. */
export function isReadOnlyPart(part: CommandPart): boolean {
  if (part.assignments.length > 0) return false;
  if (
    part.places.some(
      (place) => place === 'subshell' || place === 'group' || place === 'function' || place === 'background',
    )
  )
    return false;
  if (!part.redirects.every(isHarmless) || part.words.some(setsVariables)) return false;
  const [program, ...rest] = part.words;
  if (part.kind === 'condition') return isPlainCondition(part);
  if (part.kind === 'redirects') return true;
  if (!program) return part.redirects.length > 0;
  if (!isLiteral(program)) return false;
  const name = bareName(program.value);
  if (name === undefined) return false;
  if (shells.has(name) && rest.length === 2) return isReadOnlyScript(rest[0], rest[1]);
  if (name === 'xargs') return isReadOnlyXargs(rest);
  if (name === 'time' && rest.length > 0) return isReadOnlyPart({ ...part, argv: part.argv.slice(1), words: rest });
  return readsOnly(name, rest);
}

function setsVariables(word: Word): boolean {
  return word.pieces.some(
    (piece) =>
      piece.kind === 'arithmetic' || (piece.kind === 'variable' && piece.name === '' && piece.text.includes('=')),
  );
}

/**
 * A test that runs nothing. `-v` and `-R` evaluate subscripts, and the number comparisons of `[[` evaluate arithmetic:
 * both can run commands that stand in the words.
 */
export function isPlainCondition(part: CommandPart): boolean {
  if (part.argv.some((word) => word === '-v' || word === '-R')) return false;
  const compares = part.argv[0] !== '[' && part.argv.some((word) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(word));
  return !compares || part.words.every((word) => /^(?:-[a-z]{2}|-?\d+|!)$/.test(word.value) || isPlainVariable(word));
}

function isPlainVariable({ pieces }: Word): boolean {
  return pieces.length > 0 && pieces.every((piece) => piece.kind === 'variable' && piece.name !== '');
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
    const value = words[index]?.value ?? '';
    if (/^-[nLP]$/.test(value) || value === '-I') index += 1;
    else if (!/^-(?:0|r|n\d+|L\d+|P\d+|I\S+)$/.test(value)) break;
  }
  const program = words[index];
  return program !== undefined && isLiteral(program) && freePrograms.has(program.value);
}
