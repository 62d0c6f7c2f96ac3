import { gitVerbIndex } from '../commandParts/gitVerbIndex.ts';
import { type CommandPart, isLiteral, literalWord, type Word } from '../commandParts/types.ts';
import { unwrap } from '../commandParts/unwrap.ts';
import { programName } from '../commandParts/wrapperTable.ts';
import { bestHit, type Hit } from './flagNames.ts';
import { gitVerbs } from './gitVerbs.ts';
import { isHiddenIn } from './hiddenMention.ts';
import { looseMatch } from './looseMatch.ts';

/** Assignments in front and the words, as a rule names them: `CI=1 npm test` is not `npm test`. */
export function ruleWords(part: CommandPart): readonly Word[] {
  const assigned = part.assignments.map(({ name, append, value }) => {
    const head = `${name}${append ? '+' : ''}=`;
    return { raw: head + value.raw, value: head + value.value, pieces: value.pieces };
  });
  return [...assigned, ...part.words];
}

/**
 * Whether an allow rule's words are exactly the beginning of this part (or the whole of it, with a last `$`), every one of
 * them known before it runs. Says nothing about programs that the part runs: see `ruleReaches`.
 */
export function beginsWith(command: readonly string[], part: CommandPart): boolean {
  const exact = command.at(-1) === '$';
  const wanted = exact ? command.slice(0, -1) : command;
  const words = ruleWords(part);
  if (exact && words.length !== wanted.length) return false;
  const head = words.slice(0, wanted.length);
  // A program whose quoted name contains `=` is not an assignment.
  const assigned = wanted.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  if ((assigned < 0 ? wanted.length : assigned) !== part.assignments.length) return false;
  return head.length === wanted.length && head.every((word, index) => isLiteral(word) && word.value === wanted[index]);
}

/** A rule for a wrapper must name what the wrapper runs, down to the innermost program: `sudo` never means `sudo rm`. */
export function ruleReaches(command: readonly string[], part: CommandPart): boolean {
  if (command.at(-1) === '$') return unwrap(part)?.opaque === undefined;
  return reaches(command.length - part.assignments.length, part);
}

function reaches(length: number, part: CommandPart): boolean {
  const inner = unwrap(part);
  if (!inner) return true;
  if (inner.opaque !== undefined || length < inner.reach) return false;
  const [next] = inner.parts;
  return inner.apart === true || next === undefined || reaches(length - (inner.reach - 1), next);
}

/**
 * Whether a deny or ask rule could mean this part: paths to the program, options of git before its verb, assignments in
 * front and the way its options are written do not hide it; a word that is only known when it runs may be anything.
 */
export function couldMean(command: readonly string[], part: CommandPart): Hit {
  const exact = command.at(-1) === '$';
  const wanted = exact ? command.slice(0, -1) : command;
  const forms = [part.words, ruleWords(part), plainProgram(part)].map((words) => compare(wanted, exact, words));
  const strict = bestHit(forms);
  if (strict === 'yes' || exact) return strict;
  return bestHit([strict, loosely(wanted, part), isHiddenIn(wanted, part) ? 'maybe' : 'no']);
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

function loosely(wanted: readonly string[], part: CommandPart): Hit {
  const [want = '', ...more] = wanted;
  const [program, ...rest] = plainProgram(part);
  if (!program || !isLiteral(program) || !(program.value === want || isProgram(want, program.value))) return 'no';
  const runner = part.via.at(-1);
  const open = runner === 'xargs' || runner === 'parallel';
  const name = programName(program.value);
  const hit = looseMatch(more, { program: name, rest, open });
  if (hit !== 'no' || name !== 'git' || more.length === 0) return hit;
  // Any other verb may be an alias that the settings know.
  const [verb] = rest;
  return verb === undefined || !isLiteral(verb) || gitVerbs.has(verb.value) ? 'no' : 'maybe';
}

/** Git without the options before its verb, and `git-push` as what it is. */
function plainProgram(part: CommandPart): readonly Word[] {
  const [program, ...rest] = part.words;
  if (!program || !isLiteral(program)) return part.words;
  const name = programName(program.value);
  if (name === 'git') return [program, ...part.words.slice(gitVerbIndex(part.argv))];
  return name.startsWith('git-') && gitVerbs.has(name.slice(4))
    ? [literalWord('git'), literalWord(name.slice(4)), ...rest]
    : part.words;
}
