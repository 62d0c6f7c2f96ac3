import type { SpecFlag } from '../specTypes.ts';
import type { HelpLine } from './cleanHelp.ts';
import { flagsOf, type OptionRow, parseOptionRow } from './optionRow.ts';
import type { Section } from './sections.ts';

const maxFlags = 300;

/** The flags that the option rows of a help text declare; of two with one name the first wins. */
export function scrapeFlags(sections: readonly Section[]): readonly SpecFlag[] {
  const flags = new Map<string, SpecFlag>();
  for (const { kind, lines } of sections) {
    if (kind === 'usage' || kind === 'examples' || kind === 'environment') continue;
    for (const { row, text } of optionRows(lines))
      for (const flag of flagsOf(row, text)) if (!flags.has(flag.name)) flags.set(flag.name, flag);
  }
  return [...flags.values()].slice(0, maxFlags);
}

interface OpenRow {
  readonly row: OptionRow;
  readonly indent: number;
  /** Where the text of the row begins; 0 until a line with text is seen. */
  column: number;
  readonly texts: string[];
  /** Where the long names begin: rows without a short name stand there. */
  readonly longColumn: number;
}

function optionRows(lines: readonly HelpLine[]): readonly { readonly row: OptionRow; readonly text: string }[] {
  const rows: OpenRow[] = [];
  let open: OpenRow | undefined;
  for (const [i, line] of lines.entries()) {
    if (line.text === '') {
      // One blank line between names and text is common; after text it ends the row.
      if (open !== undefined && open.texts.length > 0) open = undefined;
      continue;
    }
    const row = /^(?:-|\[--)/.test(line.text) ? parseOptionRow(line.text) : undefined;
    if (
      row !== undefined &&
      !isContinuation(line, row, open, rows.at(-1)) &&
      !(isProse(row) && followsProse(lines[i - 1], line, open))
    ) {
      open = {
        row,
        indent: line.indent,
        column: row.text === '' ? 0 : line.indent + line.text.lastIndexOf(row.text),
        texts: [],
        longColumn: line.indent + line.text.indexOf('--'),
      };
      if (row.text !== '') open.texts.push(row.text);
      rows.push(open);
    } else if (open !== undefined && line.indent > open.indent) {
      open.column ||= line.indent;
      open.texts.push(line.text);
    } else open = undefined;
  }
  return rows.map(({ row, texts }) => ({ row, text: texts.join(' ').replaceAll(/\s+/g, ' ') }));
}

function isProse(row: OptionRow): boolean {
  return row.gap === 1 && row.value === undefined && /^[a-z(]/.test(row.text);
}

/** Running text at the same indent, outside of any row, goes on in this line. */
function followsProse(before: HelpLine | undefined, line: HelpLine, open: OpenRow | undefined): boolean {
  return (
    open === undefined &&
    before !== undefined &&
    /^[^-\s]/.test(before.text) &&
    before.indent === line.indent &&
    before.indent > 0
  );
}

/** A line of running text may begin with an option that it speaks of: it stands where the text of the row above stands. */
function isContinuation(line: HelpLine, row: OptionRow, open: OpenRow | undefined, last: OpenRow | undefined): boolean {
  if (open !== undefined && open.column > 0 && line.indent >= open.column - 1 && line.indent > open.indent + 3)
    return true;
  return isProse(row) && last !== undefined && line.indent > last.indent + 1 && line.indent !== last.longColumn;
}
