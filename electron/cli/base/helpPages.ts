import type { Command } from './command.ts';
import type { Flag } from './parseFlags.ts';
import { termList, wrapWords } from './termList.ts';
import { describeVersion } from './version.ts';

/** What each command takes beside its own flags. */
export const commonFlags: readonly Flag[] = [
  { name: 'help', about: 'tell what the command takes' },
  { name: 'version', about: 'tell the version' },
  { name: 'no-color', about: 'print no colours, as NO_COLOR does' },
];

/** The exit codes in words, for the help and the manual page. */
export const exitWords: readonly (readonly [code: number, words: string])[] = [
  [0, 'done or answered'],
  [1, 'the task or tool failed, or the task is incomplete'],
  [2, 'wrong usage or configuration'],
  [3, 'permission was needed and denied'],
  [4, 'the provider failed for good'],
  [130, 'interrupted'],
];

/** Columns of a help that goes into a pipe or a file. */
const usualColumns = 100;

/** `vise --help`: every command in a line or two. */
export function help(commands: readonly Command[], columns = usualColumns): string {
  const list = termList(
    commands.map(({ name, usage, about }) => [`vise ${name} ${usage}`.trimEnd(), about]),
    columns,
  );
  const codes = exitWords.map(([code, words]) => `${code} ${words}`).join(' · ');
  const paragraph = (text: string): string => wrapWords(text, columns).join('\n');
  const head = paragraph(
    `Vise ${describeVersion()}: an agent works on your project, and nothing happens before you let it.`,
  );
  const begin = paragraph(
    'To begin: "vise doctor" says what is missing, "vise config" sets a model up, "vise chat" talks with it.',
  );
  const foot = paragraph(`"vise COMMAND --help" tells more of one. Exit codes: ${codes}.`);
  return `${head}\n\n${list}\n${begin}\n${foot}\n`;
}

/** `vise COMMAND --help`. */
export function commandHelp({ name, usage, about, flags, example }: Command, columns = usualColumns): string {
  const common = commonFlags.filter(({ name: one }) => !flags.some((flag) => flag.name === one));
  const rows = [...flags, ...common].map((flag) => [flagUsage(flag), flag.about] as const);
  const head = [`vise ${name} ${usage}`.trimEnd(), ...wrapWords(about, columns)].join('\n');
  return `${head}\n\n${termList(rows, columns)}\nExample: ${example}\n`;
}

export function flagUsage({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}
