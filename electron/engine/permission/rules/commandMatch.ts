import { leavesOpen } from '../../shell/openWords.ts';
import { type Command, isLiteral, literalWord, type Word } from '../../shell/parse/line.ts';
import { gitVerbIndex } from '../../shell/programs/git.ts';
import { gitVerbs } from '../../shell/programs/gitOptions.ts';
import { programName } from '../../shell/programs/program.ts';
import { bestHit, type Hit } from '../../shell/sameFlag.ts';
import { type Unwrapped, unwrap } from '../../shell/unwrap.ts';
import { isHiddenIn } from './hiddenMention.ts';
import { looseMatch } from './looseMatch.ts';

/** Assignments in front and the words, as a rule names them: `CI=1 npm test` is not `npm test`. */
export function ruleWords(command: Command): readonly Word[] {
  const assigned = command.assignments.map(({ name, append, value }) => {
    const head = `${name}${append ? '+' : ''}=`;
    return { raw: head + value.raw, value: head + value.value, pieces: value.pieces };
  });
  return [...assigned, ...command.words];
}

/**
 * Whether an allow rule's words are exactly the beginning of this command (or the whole of it, with a last `$`), every one of
 * them known before it runs. Says nothing about programs that the command runs: see `ruleReaches`.
 */
export function beginsWith(rule: readonly string[], command: Command): boolean {
  const exact = rule.at(-1) === '$';
  const wanted = exact ? rule.slice(0, -1) : rule;
  const words = ruleWords(command);
  if (exact && words.length !== wanted.length) return false;
  const head = words.slice(0, wanted.length);
  // A program whose quoted name contains `=` is not an assignment.
  const assigned = wanted.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  if ((assigned < 0 ? wanted.length : assigned) !== command.assignments.length) return false;
  return head.length === wanted.length && head.every((word, index) => isLiteral(word) && word.value === wanted[index]);
}

/** A rule for a wrapper must name what the wrapper runs, down to the innermost program: `sudo` never means `sudo rm`. */
export function ruleReaches(rule: readonly string[], command: Command): boolean {
  if (rule.at(-1) === '$') return unwrap(command)?.opaque === undefined;
  return reaches(rule.length - command.assignments.length, command);
}

function reaches(length: number, command: Command): boolean {
  const inner = unwrap(command);
  if (!inner) return leavesOpen(command, length);
  if (inner.opaque !== undefined || length < inner.reach) return false;
  const [next] = inner.commands;
  return inner.apart || next === undefined ? leavesOpen(command, length) : reaches(length - (inner.reach - 1), next);
}

/** Whether a rule for a wrapper alone covers the wrapper's own words; what it runs is covered by other rules. */
export function coversWrapper(rule: readonly string[], command: Command, { apart, reach }: Unwrapped): boolean {
  const words = apart ? command.words : command.words.slice(0, Math.max(reach - 1, 1));
  return leavesOpen({ ...command, words }, rule.length - command.assignments.length);
}

/**
 * Whether a deny or ask rule could mean this command: paths to the program, options of git before its verb, assignments in
 * front and the way its options are written do not hide it; a word that is only known when it runs may be anything.
 */
export function couldMean(rule: readonly string[], command: Command): Hit {
  const exact = rule.at(-1) === '$';
  const wanted = exact ? rule.slice(0, -1) : rule;
  const forms = [command.words, ruleWords(command), plainProgram(command)].map((words) =>
    compare(wanted, exact, words),
  );
  const strict = bestHit(forms);
  if (strict === 'yes' || exact) return strict;
  return bestHit([strict, loosely(wanted, command), isHiddenIn(wanted, command) ? 'maybe' : 'no']);
}

function compare(wanted: readonly string[], exact: boolean, words: readonly Word[]): Hit {
  let certain = true;
  for (const [index, want] of wanted.entries()) {
    const word = words[index];
    if (!word) return 'no';
    if (!isLiteral(word)) {
      // An unquoted expansion may be several words: what follows cannot be compared by place.
      if (word.pieces.some(({ kind }) => kind !== 'text' && kind !== 'glob')) return 'maybe';
      certain = false;
    } else if (word.value !== want && !(index === 0 && isProgram(want, word.value))) {
      return 'no';
    }
  }
  if (exact && words.length !== wanted.length) return 'no';
  return certain ? 'yes' : 'maybe';
}

const isProgram = (want: string, word: string): boolean =>
  !want.includes('/') && programName(word) === want.toLowerCase();

function loosely(wanted: readonly string[], command: Command): Hit {
  const [want = '', ...more] = wanted;
  const [program, ...rest] = plainProgram(command);
  if (!program || !isLiteral(program) || !(program.value === want || isProgram(want, program.value))) return 'no';
  const runner = command.via.at(-1);
  const open = runner === 'xargs' || runner === 'parallel';
  const name = programName(program.value);
  const hit = looseMatch(more, { program: name, rest, open });
  if (hit !== 'no' || name !== 'git' || more.length === 0) return hit;
  // Any other verb may be an alias that the settings know.
  const [verb] = rest;
  return verb === undefined || !isLiteral(verb) || gitVerbs.has(verb.value) ? 'no' : 'maybe';
}

/** Git without the options before its verb, and `git-push` as what it is. */
function plainProgram(command: Command): readonly Word[] {
  const [program, ...rest] = command.words;
  if (!program || !isLiteral(program)) return command.words;
  const name = programName(program.value);
  if (name === 'git') return [program, ...command.words.slice(gitVerbIndex(command.argv))];
  return name.startsWith('git-') && gitVerbs.has(name.slice(4))
    ? [literalWord('git'), literalWord(name.slice(4)), ...rest]
    : command.words;
}
