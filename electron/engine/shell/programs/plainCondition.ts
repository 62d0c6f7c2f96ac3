import { type Command, isLiteral, type Word } from '../parse/line.ts';
import { isOneWord } from './options.ts';

/**
 * A test that runs nothing. `-v` and `-R` evaluate subscripts, and the number comparisons of `[[` (of `[` in some shells)
 * evaluate arithmetic: both run commands that stand in the words, or in the variables that the words name.
 */
export function isPlainCondition(command: Command): boolean {
  const [open, ...rest] = command.words;
  if (open?.raw === '[') return isPlainTest(rest.slice(0, -1));
  return isPlainExpression(command.words);
}

/** The words of `test`, which are read after they were expanded: none may turn out to be another operator. */
export function isPlainTest(words: readonly Word[]): boolean {
  if (words.every(isLiteral)) return isPlainExpression(words);
  if (!words.every((word) => isOneWord(word) || isNumber(word))) return false;
  const [first, second, third] = words;
  if (words.length === 1) return true;
  if (first && isLiteral(first) && first.value === '!' && words.length < 4) return isPlainTest(words.slice(1));
  if (first && words.length === 2) return isLiteral(first) && unary.test(first.value);
  if (!first || !second || !third || words.length !== 3 || !isLiteral(second)) return false;
  return text.test(second.value) || (number.test(second.value) && isNumber(first) && isNumber(third));
}

const unary = /^-[abcdefghknprstuwxzGLNOS]$/;
const text = /^(?:=|==|!=|<|>|-nt|-ot|-ef)$/;
const number = /^-(?:eq|ne|lt|le|gt|ge)$/;

function isPlainExpression(words: readonly Word[]): boolean {
  if (words.some(({ value }) => value === '-v' || value === '-R')) return false;
  const compares = words.some(({ value }) => number.test(value));
  return !compares || words.every((word) => /^(?:-[a-z]{2}|!)$/.test(word.value) || isNumber(word));
}

/** A number, or a variable of the shell that can only hold one; any other may hold a text that is evaluated. */
function isNumber({ pieces, value }: Word): boolean {
  if (/^-?\d+$/.test(value)) return pieces.every(({ kind }) => kind === 'text');
  return pieces.length > 0 && pieces.every((piece) => piece.kind === 'variable' && /^[#?$!]$/.test(piece.name));
}
