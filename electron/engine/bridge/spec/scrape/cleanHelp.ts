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

/** Lines of a help text without colours, overstrike, carriage returns and tabs (8 columns). */
export function cleanHelp(help: string): readonly HelpLine[] {
  return help
    .slice(0, maxChars)
    .replaceAll(overstrike, '')
    .split('\n')
    .map((raw) => {
      const line = expandTabs(stripVTControlCharacters(raw.replaceAll('\r', '')).slice(0, 2_000)).trimEnd();
      const text = line.trimStart();
      return { text, indent: line.length - text.length };
    });
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  for (const char of line) out += char === '\t' ? ' '.repeat(8 - (out.length % 8)) : char;
  return out;
}
