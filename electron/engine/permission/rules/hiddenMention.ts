import { type Command, isLiteral, literalWord, type Word } from '../../shell/parse/line.ts';
import { type Program, programName } from '../../shell/programs/program.ts';
import { onlyReads, programOf } from '../../shell/programs/programs.ts';
import { unwrap } from '../../shell/unwrap.ts';
import { looseMatch } from './looseMatch.ts';

/**
 * Whether the words of a rule stand in this command where nobody knows if they are run: behind a program that is no known
 * wrapper, in the script of an interpreter, in what a shell is sent. Never certain, so that the person decides.
 */
export function isHiddenIn(wanted: readonly string[], command: Command): boolean {
  const [first, ...rest] = command.words;
  if (!first) return false;
  if (!isLiteral(first)) return true;
  const name = programName(first.value);
  if (onlyReads(name)) return false;
  const program = programOf(name);
  const inner = unwrap(command);
  if (runsUnknownText(program, name, command, inner?.opaque) || runsStream(first.value, program, rest)) return true;
  const { shell, wraps, interprets, words } = program;
  const runsWords = shell !== undefined || wraps !== undefined || interprets !== undefined;
  // What a wrapper is known to run is looked at as a command of its own.
  if ((!inner || inner.opaque !== undefined) && name !== 'git' && standsIn(wanted, rest)) return true;
  // `GIT_SSH_COMMAND`, `PAGER`, `EDITOR`: what stands in front may be what the program runs.
  if (command.assignments.some(({ value }) => standsInText(wanted, value.value))) return true;
  if (name === 'git' && command.argv.includes('foreach') && standsInText(wanted, command.argv.slice(1).join(' ')))
    return true;
  if (!runsWords && (words === 'text' || words === 'names')) return false;
  const literal = rest.filter(isLiteral).map(({ value }) => value);
  const texts = [
    ...(name === 'git' ? settingsOf(command.argv) : runsWords ? literal : literal.filter((word) => /[\s=]/.test(word))),
    ...command.redirects.flatMap(({ body }) => (body === undefined ? [] : [body])),
  ];
  return texts.some((text) => standsInText(wanted, text));
}

/** A shell that reads its script from a pipe, a variable or another file may be sent anything. */
function runsUnknownText(program: Program, name: string, command: Command, opaque: string | undefined): boolean {
  if (opaque === undefined) return false;
  if (program.shell === 'foreign')
    return command.argv.length === 1 || command.argv.some((word) => /^[-/]e(?:nc|c$|$)/i.test(word));
  return program.shell === 'posix' || name === 'eval' || program.wraps?.joined === true || /only known/.test(opaque);
}

const streams = /^\/(?:dev\/(?:stdin|fd\/)|proc\/[^/]+\/fd\/)/;

/** `. <(…)`, `source "$X"`, `bash /dev/stdin`: a script that is no file, or nobody knows which. */
function runsStream(first: string, program: Program, rest: readonly Word[]): boolean {
  const [script] = rest;
  const sources = first === '.' || first === 'source';
  if (sources && script !== undefined && !isLiteral(script)) return true;
  return (sources || program.shell === 'posix') && rest.some((word) => isLiteral(word) && streams.test(word.value));
}

function standsIn(wanted: readonly string[], words: readonly Word[]): boolean {
  const [want = '', ...more] = wanted;
  return words.some((word, index) => {
    if (!isLiteral(word) || programName(word.value) !== want.toLowerCase()) return false;
    return looseMatch(more, { program: want, rest: words.slice(index + 1), open: false }) !== 'no';
  });
}

/** The words of a program text, whatever its language: `system("git push")`, `['git', 'push']`. */
function standsInText(wanted: readonly string[], text: string): boolean {
  const words = text
    .slice(0, 10_000)
    .split(/[^\w@%+:./-]+/)
    .filter((word) => word !== '')
    .slice(0, 2_000);
  return standsIn(wanted, words.map(literalWord));
}

/** Values of `git -c`, and of `git config` where they are written. */
function settingsOf(argv: readonly string[]): readonly string[] {
  const isConfig = argv.includes('config');
  return argv.filter(
    (word, at) => at > 0 && (isConfig || argv[at - 1] === '-c' || argv[at - 1] === '--config-env' || /^-c./.test(word)),
  );
}
