import type { HelpLine } from './cleanHelp.ts';
import type { Section } from './sections.ts';
import { parseUsage, type UsagePart } from './usageParts.ts';

export interface CommandRow {
  /** One word, or the words of a nested command. */
  readonly name: string;
  readonly text: string;
  /** What follows the name before the text: `<file> [dir]`. */
  readonly tail: readonly UsagePart[];
}

const name = '[a-z0-9](?:[a-z0-9:_-]*[a-z0-9_-])?';
const alias = '[A-Za-z0-9][A-Za-z0-9:_-]*';
const tailWord =
  '(?:<[^>]*>|\\[(?:[^[\\]]|\\[(?:[^[\\]]|\\[[^[\\]]*\\])*\\])*\\]|\\{[^}]*\\}|[A-Z][A-Z0-9_|:=-]*|\\.\\.\\.)(?:\\.\\.\\.|[|:=]\\S*)?';
const rowPattern = new RegExp(
  `^(?:[-*+o\u2022] +)?(${name}(?: [a-z][a-z0-9:_-]+){0,2}?)(?:(?: *[,|] *| +\\()${alias}\\)?)*\\*?((?: ${tailWord})*)(?:(?: *:| {2,}[-\u2013\u2014:]| [-\u2013\u2014]) +| {2,}|$|:$)(.*)$`,
);
/** Rows that every tool has and nobody needs as a tool. */
const leftOut: ReadonlySet<string> = new Set(['help', 'completion', 'version']);
const maxCommands = 200;

/** The sub-commands that a help text lists, in its order. `mentioned`: the usage line speaks of a command. */
export function scrapeCommands(sections: readonly Section[], tool: string, mentioned: boolean): readonly CommandRow[] {
  const named = sections.filter(({ kind }) => kind === 'commands');
  const listed = named.flatMap((section) => rowsOf(section, tool));
  const braced = listed.length > 0 ? [] : sections.flatMap(({ lines }) => bracedRows(lines, tool));
  const rows =
    listed.length > 0 || braced.length > 0 || named.length > 0
      ? [...listed, ...braced]
      : mentioned
        ? sections.flatMap((section) => alignedRows(section, tool))
        : [];
  const unique = new Map<string, CommandRow>();
  for (const row of rows)
    if (row.name !== tool && /[a-z]/.test(row.name) && !leftOut.has(row.name) && !unique.has(row.name))
      unique.set(row.name, row);
  return [...unique.values()].slice(0, maxCommands);
}

function rowsOf({ lines }: Section, tool: string): readonly CommandRow[] {
  const filled = lines.filter(({ text }) => text !== '');
  const braced = bracedRows(lines, tool);
  if (braced.length > 0) return braced;
  const listed = commaList(filled) ?? columnList(filled);
  if (listed !== undefined) return listed.map((one) => ({ name: one, text: '', tail: [] }));
  const column = textColumn(filled, tool);
  const rows: CommandRow[] = [];
  let base = -1;
  let open: { name: string; text: string; tail: CommandRow['tail'] } | undefined;
  for (const line of lines) {
    if (line.text === '' || line.indent === 0) {
      open = undefined;
      continue;
    }
    const row = line.text.startsWith('--') ? undefined : (parseRow(line.text, tool) ?? tightRow(line, column, tool));
    // A name without text a little out of line is the title of a group.
    const slack = row?.text === '' ? 0 : 1;
    if (row !== undefined && (base < 0 || Math.abs(line.indent - base) <= slack)) {
      if (base < 0) base = line.indent;
      open = { ...row };
      rows.push(open);
    } else if (open !== undefined && line.indent > base) open.text = `${open.text} ${line.text}`.trim();
    else open = undefined;
  }
  return rows;
}

/** Where the texts of most rows begin, counted from the left edge. */
function textColumn(lines: readonly HelpLine[], tool: string): number | undefined {
  const columns = new Map<number, number>();
  for (const { text, indent } of lines) {
    const gap = / {2,}(?=\S)/.exec(text);
    if (gap === null || parseRow(text, tool) === undefined) continue;
    const column = indent + gap.index + gap[0].length;
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  return [...columns].toSorted((x, y) => y[1] - x[1])[0]?.[0];
}

/** The longest name of a list often has a single blank behind it: its text begins in the column of the others. */
function tightRow({ text, indent }: HelpLine, column: number | undefined, tool: string): CommandRow | undefined {
  if (column === undefined || text[column - indent - 1] !== ' ' || text[column - indent] === ' ') return undefined;
  const head = parseRow(text.slice(0, column - indent).trimEnd(), tool);
  return head?.text === '' ? { ...head, text: text.slice(column - indent) } : undefined;
}

/** `{init,build}` with the rows of those names below it, as argparse writes sub-commands. */
function bracedRows(lines: readonly HelpLine[], tool: string): readonly CommandRow[] {
  const rows: CommandRow[] = [];
  let names: ReadonlySet<string> = new Set();
  let indent = 0;
  for (const line of lines) {
    const braced = /^\{([\w:,-]+)\}(?= |$)/.exec(line.text)?.[1];
    if (braced !== undefined) {
      names = new Set(braced.split(','));
      ({ indent } = line);
      continue;
    }
    if (line.text === '' || names.size === 0 || line.indent <= indent) {
      if (line.text !== '') names = new Set();
      continue;
    }
    const row = parseRow(line.text, tool);
    if (row !== undefined && names.has(row.name)) rows.push(row);
  }
  return rows;
}

function parseRow(text: string, tool: string): CommandRow | undefined {
  const program = text.slice(tool.length);
  const own = text.startsWith(tool) ? program.replace(/^(?:\.\w{1,4})? /, '') : text;
  const found = rowPattern.exec(own);
  if (found?.[1] === undefined) return undefined;
  const row = { name: found[1], tail: parseUsage(found[2] ?? ''), text: (found[3] ?? '').replace(/^# /, '') };
  // Several words alone are running text.
  return row.name.includes(' ') && row.text === '' && row.tail.length === 0 ? undefined : row;
}

/** `access, adduser, audit,` over one or more lines. */
function commaList(lines: readonly HelpLine[]): readonly string[] | undefined {
  const listed = lines.filter(({ text }) => text.includes(','));
  const names = listed.flatMap(({ text }) => text.split(',').map((part) => part.trim())).filter((part) => part !== '');
  if (names.length < 4 || listed.length < lines.length * 0.6) return undefined;
  const last = lines.at(-1);
  const lone = last !== undefined && !last.text.includes(',') ? [last.text] : []; // the rest of a wrapped list
  const all = [...names, ...lone];
  return names.every((part) => new RegExp(`^${name}$`).test(part))
    ? all.filter((part) => new RegExp(`^${name}$`).test(part))
    : undefined;
}

/** Names in columns, without any text. */
function columnList(lines: readonly HelpLine[]): readonly string[] | undefined {
  const rows = lines.map(({ text }) => text.split(/ {2,}/));
  const isRow = (row: readonly string[]): boolean => row.every((part) => /^[a-z0-9][a-z0-9_-]*$/.test(part));
  const plain = rows.filter(isRow);
  if (plain.filter((row) => row.length >= 3).length < 3 || plain.length < rows.length * 0.8) return undefined;
  return plain.flat();
}

/** Without a heading only a block counts whose texts stand in one column. */
function alignedRows({ kind, lines }: Section, tool: string): readonly CommandRow[] {
  if (kind !== 'other' && kind !== 'start' && kind !== 'arguments') return [];
  const rows: CommandRow[] = [];
  let block: { row: CommandRow; column: number; indent: number }[] = [];
  const close = (): void => {
    if (block.length >= 2) rows.push(...block.map(({ row }) => row));
    block = [];
  };
  for (const line of lines) {
    const gap = / {2,}(?=\S)/.exec(line.text);
    const row = line.indent >= 1 && gap !== null ? parseRow(line.text, tool) : undefined;
    if (row === undefined || gap === null || row.text === '') {
      const [last] = block.slice(-1);
      if (line.text === '' || last === undefined || line.indent < last.column) close();
      continue;
    }
    const column = line.indent + gap.index + gap[0].length;
    if (block.length > 0 && (block[0]?.column !== column || block[0].indent !== line.indent)) close();
    block.push({ row, column, indent: line.indent });
  }
  close();
  return rows;
}
