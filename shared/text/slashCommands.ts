import { editDistance } from './editDistance.ts';

/** One slash command: for the composer's list, for `vise chat`, and for /help. */
export interface SlashCommand {
  readonly name: string;
  /** What follows the name; `<x>` is needed, `[x]` may be left out. */
  readonly usage: string;
  readonly about: string;
  /** Only where there is a terminal: the window has other ways to do it. */
  readonly terminalOnly?: boolean;
  /** Only in the window: it shows something there, or needs a review. */
  readonly windowOnly?: boolean;
}

export type SlashPlace = 'terminal' | 'window';

export const slashCommands = [
  { name: 'help', usage: '', about: 'these commands' },
  { name: 'config', usage: '', about: 'provider, model and folder in use; keys are never shown' },
  { name: 'cwd', usage: '', about: 'the project folder', terminalOnly: true },
  { name: 'provider', usage: '[name]', about: 'list the providers, or use another one from now on' },
  { name: 'model', usage: '[name]', about: 'show or change the model of this session' },
  { name: 'effort', usage: '[level]', about: 'how much the model thinks, in its own levels; "default" is the usual' },
  { name: 'cost', usage: '', about: 'tokens and dollars of this turn, this session and today' },
  { name: 'mode', usage: '[ask|direct|phased]', about: 'show or change the mode of this session' },
  { name: 'session', usage: '', about: 'this session' },
  { name: 'sessions', usage: '', about: 'all sessions, newest first' },
  { name: 'load', usage: '<id>', about: 'go on with another session' },
  {
    name: 'resume',
    usage: '[id|last]',
    about: 'go on with an earlier session of this project; the beginning of its id is enough',
    terminalOnly: true,
  },
  { name: 'clear', usage: '', about: 'a new session in the same folder; the old one is kept' },
  { name: 'continue', usage: '', about: 'go on with a turn that was cut off or failed' },
  { name: 'files', usage: '[path]', about: 'the files of a folder', terminalOnly: true },
  { name: 'read', usage: '<path>', about: 'a file', terminalOnly: true },
  { name: 'search', usage: '<text> [path]', about: 'lines that contain a text', terminalOnly: true },
  { name: 'init', usage: '', about: 'write PROJECT.md from what the project holds' },
  {
    name: 'register',
    usage: '[program]',
    about: 'make tools of a command-line program, after a review',
    windowOnly: true,
  },
  { name: 'stop', usage: '', about: 'stop the turn', windowOnly: true },
  { name: 'undo', usage: '', about: 'take the last change set back' },
  {
    name: 'rewind',
    usage: '[n] [files|talk]',
    about: 'go back to before one of your messages: files and conversation, or one of them',
    terminalOnly: true,
  },
  { name: 'diff', usage: '', about: 'what this session has changed', terminalOnly: true },
  { name: 'tasks', usage: '', about: 'the commands of this session', terminalOnly: true },
  { name: 'review', usage: '', about: 'show what is proposed or was applied', windowOnly: true },
  { name: 'plan', usage: '', about: 'show findings and steps', windowOnly: true },
  { name: 'inbox', usage: '', about: 'show what waits for an answer', windowOnly: true },
  { name: 'shell', usage: '', about: 'open a shell of your own', windowOnly: true },
  { name: 'settings', usage: '', about: 'show the settings', windowOnly: true },
  { name: 'rules', usage: '', about: 'show the standing answers', windowOnly: true },
  { name: 'trust', usage: '', about: 'review what the folder could execute', windowOnly: true },
  { name: 'exit', usage: '', about: 'end (also /quit, or the end of input)', terminalOnly: true },
] as const satisfies readonly SlashCommand[];

type Listed = (typeof slashCommands)[number];
/** The names that there are in a place; in all of them without one. */
export type SlashName<P extends SlashPlace = SlashPlace> = P extends 'terminal'
  ? Exclude<Listed, { windowOnly: true }>['name']
  : Exclude<Listed, { terminalOnly: true }>['name'];

export type SlashLine<P extends SlashPlace> =
  | { readonly kind: 'text' }
  | { readonly kind: 'command'; readonly name: SlashName<P>; readonly args: readonly string[] }
  /** Known, but an argument is missing. */
  | { readonly kind: 'usage'; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string };

const otherNames: Readonly<Record<string, SlashName>> = { quit: 'exit' };

/** The commands that there are in a place. */
export function slashCommandsIn<P extends SlashPlace>(
  place: P,
): readonly (SlashCommand & { readonly name: SlashName<P> })[] {
  const known: readonly SlashCommand[] = slashCommands;
  const here = known.filter((command) => (place === 'terminal' ? !command.windowOnly : !command.terminalOnly));
  return here as readonly (SlashCommand & { readonly name: SlashName<P> })[]; // filtered as the type is
}

/** What a line means in a place. Only a line whose first character is `/` is a command; its first word counts in any case. */
export function parseSlash<P extends SlashPlace>(line: string, place: P): SlashLine<P> {
  if (!line.startsWith('/')) return { kind: 'text' };
  const [first = '', ...args] = splitWords(line.slice(1));
  const given = first.toLowerCase();
  const here = slashCommandsIn(place);
  const command = here.find(({ name }) => name === (otherNames[given] ?? given));
  if (!command) return { kind: 'unknown', text: `unknown command: /${first}. ${hintFor(given, here)}` };
  const needed = (command.usage.match(/<[^>]+>/g) ?? []).length;
  if (args.length < needed) return { kind: 'usage', text: `usage: ${usageOf(command)}` };
  return { kind: 'command', name: command.name, args };
}

/** The first word of a line that begins with a slash, and what follows it; undefined for any other line, and for a path. */
export function slashName(line: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([^\s/]+)(?:\s+([^]*))?$/.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, rest };
}

export function usageOf({ name, usage }: SlashCommand): string {
  return usage === '' ? `/${name}` : `/${name} ${usage}`;
}

function hintFor(given: string, here: readonly SlashCommand[]): string {
  const nearest = here
    .map(({ name }) => ({ name, distance: editDistance(given, name) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return nearest && nearest.distance <= 2 ? `Did you mean /${nearest.name}?` : '/help lists the commands.';
}

/** Blanks divide, quotes hold together; an open quote runs to the end. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of text.matchAll(/"([^"]*)"?|'([^']*)'?|([^\s"']+)/g))
    words.push(double ?? single ?? plain ?? '');
  return words;
}
