import { plainLine } from '../specInstructions.ts';
import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from '../specTypes.ts';
import { cleanHelp, type HelpLine } from './cleanHelp.ts';
import { type CommandRow, scrapeCommands } from './commandRows.ts';
import { scrapeFlags } from './options.ts';
import { type Section, splitSections } from './sections.ts';
import { positionals, readUsage, tidy } from './usage.ts';

export interface HelpSource {
  readonly text: string;
  readonly name: string;
  readonly version: string;
  /** The help texts of sub-commands, by name, where they were asked. */
  readonly deep?: ReadonlyMap<string, string>;
  readonly binary?: string;
}

/** A spec from a help text. It always validates, strictly; what cannot be said in schema 1 is left out. */
export function scrapeHelp(source: HelpSource): CliSpec {
  const { text, version } = source;
  const name = specName(source.name);
  const sections = splitSections(cleanHelp(text));
  const usage = readUsage(sections, source.name);
  const rows = scrapeCommands(sections, source.name, usage.mentionsCommand);
  const flags = scrapeFlags(sections);
  const description = describe(sections, name);
  const commands =
    rows.length > 0
      ? rows.map((row) => subCommand(name, row, flags, source.deep?.get(row.name)))
      : [
          command({
            name: 'run',
            description,
            usage: usage.text || name,
            flags,
            args: usage.args,
            taken: flags,
            json: saysJson(text, flags),
          }),
        ];
  return {
    name,
    specVersion: '1',
    binary: source.binary ?? (source.name || name),
    binaryVersion: version || 'unknown',
    description,
    versionDetection: { command: '--version', pattern: 'v?(\\d+\\.\\d+[.\\d+]*)' },
    triggers: triggers(name, description, rows),
    ...(rows.length > 0 && flags.length > 0 ? { globalFlags: flags } : {}),
    commands,
  };
}

/** The sub-commands that a help text lists: what `--deep` asks for their own help. */
export function commandNames(text: string, name: string): readonly string[] {
  const sections = splitSections(cleanHelp(text));
  return scrapeCommands(sections, name, readUsage(sections, name).mentionsCommand).map((row) => row.name);
}

function specName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
  return plain || 'tool';
}

function subCommand(
  tool: string,
  row: CommandRow,
  globals: readonly SpecFlag[],
  help: string | undefined,
): SpecCommand {
  const description = cut(row.text) || `${tool} ${row.name}`;
  const usage = `${tool} ${row.name}${row.tail === '' ? '' : ` ${row.tail}`}`;
  const taken = globals;
  // In the schema `run` alone means the binary without a word.
  const words = row.name === 'run' ? { words: 'run' } : {};
  if (help === undefined || help.trim() === '')
    return command({
      name: row.name,
      description,
      usage,
      flags: [],
      args: positionals(row.tail),
      taken,
      json: false,
      ...words,
    });
  const sections = splitSections(cleanHelp(help));
  const own = readUsage(sections, `${tool} ${row.name}`);
  const known = new Set(globals.map((flag) => flag.name));
  const flags = scrapeFlags(sections).filter((flag) => !known.has(flag.name));
  const longer = row.text === '' ? describe(sections, `${tool} ${row.name}`) : description;
  const args = own.text === '' ? positionals(row.tail) : own.args;
  return command({
    name: row.name,
    description: longer,
    usage: own.text || usage,
    flags,
    args,
    taken: [...globals, ...flags],
    json: saysJson(help, flags),
    ...words,
  });
}

interface CommandParts {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly flags: readonly SpecFlag[];
  readonly args: readonly SpecArg[];
  /** Flags whose names an argument may not have. */
  readonly taken: readonly SpecFlag[];
  readonly json: boolean;
  readonly words?: string;
}

function command({ name, description, usage, flags, args, taken, json, words }: CommandParts): SpecCommand {
  const tidied = tidy(args, new Set(taken.map((flag) => flag.name)));
  return {
    name,
    description,
    usage: plainLine(usage) || name,
    words,
    ...(tidied.length > 0 ? { args: tidied } : {}),
    ...(flags.length > 0 ? { flags } : {}),
    output: { format: json ? 'json' : 'text' },
  };
}

function saysJson(text: string, flags: readonly SpecFlag[]): boolean {
  return flags.some(({ name }) => name === 'json') || /\bJSON output\b/i.test(text);
}

const banner = /^(?:\S+[ /])?(?:version |v)?\d+\.\d+|^copyright\b|^\S+ \(?(?:GNU|version)\b.*\d/i;

/** The first paragraph that is neither usage nor banner nor a row, as far as its sentences fit. */
function describe(sections: readonly Section[], name: string): string {
  for (const { kind, lines } of sections) {
    if (kind !== 'start' && kind !== 'other') continue;
    const all = paragraphs(lines);
    for (const [at, paragraph] of all.entries()) {
      const text = plainLine(paragraph.map((line) => line.text).join(' '));
      const first = paragraph[0]?.text ?? '';
      if (
        text.length < 8 ||
        banner.test(first) ||
        isBareUsage(first, name) ||
        isTitle(paragraph, all[at + 1]) ||
        /^(?:-|\[|or:|usage\b|error\b|try\b)/i.test(first) ||
        / {3,}/.test(first)
      )
        continue;
      return cut(text);
    }
    if (kind === 'other') break; // what stands below later headings is about details
  }
  return `${name} command-line tool`;
}

/** A form of the command that no word announces: `tool [OPTIONS...] COMMAND`. */
function isBareUsage(line: string, name: string): boolean {
  return line.startsWith(`${name} `) && /^(?:[[<{]|[A-Z]{3,}\b)/.test(line.slice(name.length + 1).trimStart());
}

/** A few words right above rows of options, without the colon of a heading. */
function isTitle(paragraph: readonly HelpLine[], next: readonly HelpLine[] | undefined): boolean {
  const [only, ...more] = paragraph;
  const isShort =
    only !== undefined && more.length === 0 && only.text.split(' ').length <= 4 && !/[.!]$/.test(only.text);
  return isShort && next?.[0]?.text.startsWith('-') === true;
}

function paragraphs(lines: readonly HelpLine[]): readonly (readonly HelpLine[])[] {
  const all: HelpLine[][] = [[]];
  for (const line of lines) {
    if (line.text === '') all.push([]);
    else if (line.text.startsWith('-')) all.push([line]);
    else all.at(-1)?.push(line);
  }
  return all.filter((paragraph) => paragraph.length > 0);
}

/** At most 500 characters, cut at the end of a sentence where there is one. */
function cut(text: string): string {
  const plain = plainLine(text);
  if (plain.length <= 500) return plain;
  const end = plain.slice(0, 500).lastIndexOf('. ');
  return end > 100 ? plain.slice(0, end + 1) : plain.slice(0, 500).trim();
}

/** What the tool is for, told and not ordered. */
function triggers(name: string, description: string, rows: readonly CommandRow[]): CliSpec['triggers'] {
  const positive = [
    `${name}: ${description}`,
    ...rows
      .filter(({ text }) => text !== '')
      .slice(0, 4)
      .map((row) => `${name} ${row.name}: ${row.text}`),
  ];
  return {
    positive: positive.map((text) => plainLine(text).slice(0, 200).trim()),
    negative: [`tasks outside ${name}`.slice(0, 200)],
  };
}
