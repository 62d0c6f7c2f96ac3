import { plainLine } from '../specInstructions.ts';
import type { CliSpec, SpecArg, SpecCommand, SpecFlag } from '../specTypes.ts';
import { cleanHelp, type HelpLine } from './cleanHelp.ts';
import { type CommandRow, scrapeCommands } from './commandRows.ts';
import { argName, positionals, restArg, tidy } from './positionals.ts';
import { isBareForm, readUsage, type Usage, usageOptions } from './readUsage.ts';
import { scrapeFlags } from './scrapeFlags.ts';
import { type Section, splitSections } from './sections.ts';

export interface HelpSource {
  readonly text: string;
  readonly name: string;
  readonly version: string;
  /** The help texts of sub-commands, by their words (`remote`, `remote add`), where they were asked. */
  readonly deep?: ReadonlyMap<string, string>;
  /** A further help text that lists the program's global options. */
  readonly globals?: string;
  readonly binary?: string;
}

/** Of nested commands, so many words are read: `docker container ls`. */
export const maxWords = 2;
/** What the schema allows. */
const maxCommands = 200;

/** A spec from a help text. It always validates, strictly; what cannot be said in schema 1 is left out. */
export function scrapeHelp(source: HelpSource): CliSpec {
  const { text, version } = source;
  const name = specName(source.name);
  const help = readHelp(text, source.name);
  const description = describe(help.sections, name);
  const hasCommands = help.rows.length > 0;
  const told = source.globals === undefined ? [] : scrapeFlags(readHelp(source.globals, source.name).sections);
  const known = new Set(help.flags.map((flag) => flag.name));
  const flags = [...help.flags, ...told.filter((flag) => !known.has(flag.name))];
  const tree: Tree = {
    tool: source.name || name,
    name,
    globals: hasCommands ? flags : [],
    deep: source.deep ?? new Map(),
  };
  const commands = hasCommands
    ? bounded(subCommands(help, tree, ''))
    : [command({ name: 'run', description, usage: help.usage.text || name, flags, args: help.args, taken: flags })];
  return {
    name,
    specVersion: '1',
    binary: source.binary ?? (source.name || name),
    binaryVersion: version || 'unknown',
    description,
    versionDetection: { command: '--version', pattern: 'v?(\\d+\\.\\d+[.\\d+]*)' },
    triggers: triggers(name, description, help.rows),
    ...(hasCommands && flags.length > 0 ? { globalFlags: flags } : {}),
    ...(hasCommands && flags.length > 0 && help.usage.optionsFirst ? { globalFlagsFirst: true } : {}),
    commands,
  };
}

/** The sub-commands that a help text lists: what may be asked for a help of their own. `name`: the program and its words. */
export function commandNames(text: string, name: string): readonly string[] {
  return readHelp(text, name).rows.map((row) => row.name);
}

/** Whether a text tells how a program is called; an error message does not. */
export function isHelp(text: string, name: string): boolean {
  const { usage, flags, rows } = readHelp(text, name);
  return usage.text !== '' || flags.length > 0 || rows.length > 0;
}

interface Help {
  readonly sections: readonly Section[];
  readonly usage: Usage;
  readonly rows: readonly CommandRow[];
  readonly flags: readonly SpecFlag[];
  readonly args: readonly SpecArg[];
  /** Some row tells its arguments, so one without any takes none. */
  readonly tellsArgs: boolean;
}

function readHelp(text: string, name: string): Help {
  const sections = splitSections(cleanHelp(text));
  const usage = readUsage(sections, name);
  const listed = scrapeCommands(sections, name, usage.mentionsCommand);
  const rows = listed.length > 0 ? listed : usage.commands;
  const args = withTexts(usage.args, sections);
  const tellsArgs = rows.some(({ tail }) => tail.length > 0);
  return { sections, usage, rows, flags: scrapeFlags(sections, usage.options), args, tellsArgs };
}

function specName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
  return plain || 'tool';
}

interface Tree {
  /** As the program calls itself. */
  readonly tool: string;
  readonly name: string;
  readonly globals: readonly SpecFlag[];
  readonly deep: ReadonlyMap<string, string>;
}

/** The commands below some words; a group of commands that does nothing by itself is none. */
function subCommands(help: Help, tree: Tree, above: string): readonly SpecCommand[] {
  const inherited = above === '' ? [] : help.flags;
  return help.rows.flatMap((row) => {
    const words = above === '' ? row.name : `${above} ${row.name}`;
    const text = tree.deep.get(words)?.trim() ?? '';
    const own = text === '' ? undefined : readHelp(text, `${tree.tool} ${words}`);
    const isGroup = own !== undefined && own.rows.length > 0 && words.split(' ').length < maxWords;
    const nested = isGroup ? subCommands(own, tree, words) : [];
    const isAlone = nested.length === 0 || own?.usage.runsAlone === true;
    return [
      ...(isAlone ? [subCommand(words, row, own ?? { inherited, tellsArgs: help.tellsArgs }, tree)] : []),
      ...nested,
    ];
  });
}

/** What is known of a command that has no help of its own. */
interface Listed {
  readonly inherited: readonly SpecFlag[];
  readonly tellsArgs: boolean;
}

function subCommand(words: string, row: CommandRow, told: Help | Listed, tree: Tree): SpecCommand {
  const { name: tool, globals } = tree;
  const own = 'usage' in told ? told : undefined;
  const known = new Set(globals.map((flag) => flag.name));
  const listed = 'usage' in told ? told.flags : [...scrapeFlags([], usageOptions(row.tail)), ...told.inherited];
  const flags = [...new Map(listed.map((flag) => [flag.name, flag])).values()].filter((flag) => !known.has(flag.name));
  const isTold = 'usage' in told ? told.usage.text !== '' : told.tellsArgs;
  const args = !isTold ? [restArg] : own === undefined ? positionals(row.tail) : own.args;
  const short = cut(row.text);
  return command({
    name: words,
    description: short || (own === undefined ? `${tool} ${words}` : describe(own.sections, `${tool} ${words}`)),
    usage: own?.usage.text || `${tool} ${words}`,
    flags,
    args,
    taken: [...globals, ...flags],
    // In the schema `run` alone means the binary without a word.
    ...(words === 'run' ? { words } : {}),
  });
}

/** No two of one name, and no more than the schema allows: those of a single word first, since they hold the rest. */
function bounded(commands: readonly SpecCommand[]): readonly SpecCommand[] {
  const unique = [...new Map(commands.map((one) => [one.name, one])).values()];
  if (unique.length <= maxCommands) return unique;
  const kept = new Set(
    unique.toSorted((a, b) => a.name.split(' ').length - b.name.split(' ').length).slice(0, maxCommands),
  );
  return unique.filter((one) => kept.has(one));
}

interface CommandParts {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly flags: readonly SpecFlag[];
  readonly args: readonly SpecArg[];
  /** Flags whose names an argument may not have. */
  readonly taken: readonly SpecFlag[];
  readonly words?: string;
}

/** What a program prints is text: that it can print JSON, too, says nothing of what it prints unasked. */
function command({ name, description, usage, flags, args, taken, words }: CommandParts): SpecCommand {
  const tidied = tidy(args, new Set(taken.map((flag) => flag.name)));
  return {
    name,
    description,
    usage: plainLine(usage) || name,
    words,
    ...(tidied.length > 0 ? { args: tidied } : {}),
    ...(flags.length > 0 ? { flags } : {}),
    output: { format: 'text' },
  };
}

/** What the sections of arguments tell of each, in place of its bare name. */
function withTexts(args: readonly SpecArg[], sections: readonly Section[]): readonly SpecArg[] {
  const lines = sections.filter(({ kind }) => kind === 'arguments').flatMap((section) => section.lines);
  return args.map((arg) => {
    const at = lines.findIndex(({ text }) => argName(text.split(/ {2,}/)[0] ?? '') === arg.name);
    const own = lines[at]?.text.split(/ {2,}/)[1] ?? lines[at + 1]?.text ?? '';
    const text = at < 0 ? '' : cut(own);
    return text === '' ? arg : { ...arg, description: text };
  });
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
        isBareForm(first, name.split(' ')[0] ?? '') ||
        isTitle(paragraph, all[at + 1]) ||
        /^(?:-|[[/~$#@]|or:|usage\b|error\b|try\b)/i.test(first) ||
        / {3,}/.test(first)
      )
        continue;
      return cut(text);
    }
    if (kind === 'other') break; // what stands below later headings is about details
  }
  return `${name} command-line tool`;
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
