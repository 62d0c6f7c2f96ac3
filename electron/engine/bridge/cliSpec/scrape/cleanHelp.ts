import { stripVTControlCharacters } from 'node:util';

/** More help than this is cut: nothing useful comes so late. */
const maxChars = 400_000;

/** Bold and underline of man pages: a character, a backspace (8), the character again. */
const overstrike = new RegExp(`.${String.fromCharCode(8)}`, 'gu');

export interface HelpLine {
  /** Without indent and blanks at the end. */
  readonly text: string;
  readonly indent: number;
}

/** Frames of `rich`: the title of a box becomes a heading, its sides go. */
function unframe(line: string): string {
  const title = /^\s*[\u256d\u250c][\u2500\s]*([^\u2500]+?)\s*\u2500*[\u256e\u2510]$/.exec(line)?.[1];
  if (title !== undefined) return `${title}:`;
  if (/^\s*[\u2570\u2514]\u2500*[\u256f\u2518]$/.test(line)) return '';
  return line
    .replace(/^(\s*)\u2502/, '$1 ')
    .replace(/\u2502$/, '')
    .trimEnd();
}

/** Lines of a help text without colours, overstrike, frames, carriage returns and tabs (8 columns). */
export function cleanHelp(help: string): readonly HelpLine[] {
  return help
    .slice(0, maxChars)
    .replaceAll(overstrike, '')
    .split('\n')
    .map((raw) => {
      const line = expandTabs(stripVTControlCharacters(raw.replaceAll('\r', '')).slice(0, 2_000)).trimEnd();
      const plain = /[\u2500-\u257f]/.test(line) ? unframe(line) : line;
      const text = plain.trimStart();
      return { text, indent: plain.length - text.length };
    });
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const char of line) out += char === '\t' ? ' '.repeat(8 - (out.length % 8)) : char;
  return out;
}
