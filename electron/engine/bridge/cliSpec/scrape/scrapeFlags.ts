import type { SpecFlag } from '../specTypes.ts';
import type { HelpLine } from './cleanHelp.ts';
import { flagsOf, type OptionRow, parseOptionRow } from './optionRow.ts';
import { type UsageOption, usageOptions } from './readUsage.ts';
import type { Section } from './sections.ts';
import { parseUsage } from './usageParts.ts';

const maxFlags = 300;

/**
 * The flags that the option rows of a help text declare, and those that only its forms tell of. Of two with one name the
 * first wins, but what a form says of a value completes a row that has none.
 */
export function scrapeFlags(sections: readonly Section[], told: readonly UsageOption[] = []): readonly SpecFlag[] {
  const flags = new Map<string, SpecFlag>();
  const bracketed: UsageOption[] = [];
  for (const { kind, title, lines } of sections) {
    if (kind === 'usage' || kind === 'examples' || kind === 'environment') continue;
    const goFlags = /^usage of /i.test(title);
    if (kind === 'options') bracketed.push(...bracketOptions(lines));
    for (const { row, text } of optionRows(lines, goFlags))
      for (const flag of flagsOf(row, text)) if (!flags.has(flag.name)) flags.set(flag.name, flag);
  }
  // Rows tell all options of a mode that a form of its own shows (`pack --list ARCHIVE`), or mean to leave it out.
  const hasRows = flags.size > 0;
  for (const option of [...bracketed, ...told.filter(({ isBound }) => isBound || !hasRows)])
    for (const flag of optionFlags(option)) {
      const known = flags.get(flag.name);
      if (known === undefined) flags.set(flag.name, flag);
      else if (known.type === 'boolean' && known.default === undefined && flag.type !== 'boolean' && option.isBound)
        flags.set(flag.name, { ...flag, short: known.short ?? flag.short, description: known.description });
      else if (flag.repeated === true && known.type !== 'boolean') flags.set(flag.name, { ...known, repeated: true });
    }
  return [...flags.values()].slice(0, maxFlags);
}

/** `[-w|--workspace <name> [-w|--workspace <name> ...]]`: npm lists its options as forms have them. */
function bracketOptions(lines: readonly HelpLine[]): readonly UsageOption[] {
  const first = lines.findIndex(({ text }) => text.startsWith('[-'));
  if (first < 0) return [];
  const end = lines.findIndex(({ text }, i) => i > first && text === '');
  const text = lines.slice(first, end < 0 ? undefined : end).map((line) => line.text);
  return usageOptions(parseUsage(text.join(' ')));
}

function optionFlags({ names, value, repeated }: UsageOption): readonly SpecFlag[] {
  const row = parseOptionRow(`${names.join(', ')}${value ?? ''}${repeated ? '...' : ''}`);
  return row === undefined ? [] : flagsOf(row, '');
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

function optionRows(
  lines: readonly HelpLine[],
  goFlags: boolean,
): readonly { readonly row: OptionRow; readonly text: string }[] {
  const rows: OpenRow[] = [];
  let open: OpenRow | undefined;
  let isAfterBlank = false;
  for (const [i, line] of lines.entries()) {
    if (line.text === '') {
      isAfterBlank = true;
      continue;
    }
    // One blank line between names and text is common; after text only what stands below the text belongs to the row.
    if (isAfterBlank && open !== undefined && open.texts.length > 0 && (open.column === 0 || line.indent < open.column))
      open = undefined;
    isAfterBlank = false;
    const row = /^(?:-|\[--)/.test(line.text) ? parseOptionRow(line.text, goFlags) : undefined;
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
