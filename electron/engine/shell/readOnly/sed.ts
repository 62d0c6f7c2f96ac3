import type { Word } from '../parse/line.ts';
import { allLiteral, mayBecomeOption } from './words.ts';

const address = String.raw`(?:\d+|\$|/(?:\\.|[^/\\])*/)`;
const range = `(?:${address}(?:,(?:${address}|\\+\\d+))?!?)?`;
const print = `${range}[pdqP=]`;
const substitute = String.raw`${range}s([/|,#:@])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiI0-9]*`;
const command = new RegExp(`^(?:${print}|${substitute})$`);
const printCommand = new RegExp(`^${print}$`);

/** One script of printing, deleting and substituting; never `w`, `r`, `e`, `-i`, `-e` or `-f`. */
export function readOnlySed(words: readonly Word[]): boolean {
  if (!allLiteral(words.filter(({ value }) => value.startsWith('-')))) return false;
  const options = words.filter(({ value }) => value.startsWith('-') && value !== '-');
  if (!options.every(({ value }) => /^(?:-[nErsz]+|--quiet|--silent|--regexp-extended|--posix)$/.test(value)))
    return false;
  const [script, ...files] = words.filter((word) => !options.includes(word));
  if (!script || !allLiteral([script]) || script.value.length > 500) return false;
  // A file name from an expansion could be read as an option, `-i` among them.
  if (files.some(mayBecomeOption) || !allPlain(files)) return false;
  if (command.test(script.value)) return true;
  const steps = script.value.split(';').map((step) => step.trim());
  return steps.every((step) => printCommand.test(step));
}

function allPlain(files: readonly Word[]): boolean {
  return files.every(({ pieces }) => pieces.every((piece) => piece.kind === 'text' || piece.kind === 'glob'));
}
