import type { Command } from './command.ts';
import type { Flag } from './flags.ts';
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

/** `vise --help`: every command in a line. */
export function help(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = commands.map(
    ({ name, usage, about }) => `  vise ${`${name} ${usage}`.trimEnd().padEnd(width)}  ${about}`,
  );
  const codes = exitWords.map(([code, words]) => `${code} ${words}`).join(' · ');
  return `Vise ${describeVersion()}: an agent works on your project, and nothing happens before you let it.\n\n${lines.join('\n')}\n\n"vise COMMAND --help" tells more of one. Exit codes: ${codes}.\n`;
}

/** `vise COMMAND --help`. */
export function commandHelp({ name, usage, about, flags }: Command): string {
  const common = commonFlags.filter(({ name: one }) => !flags.some((flag) => flag.name === one));
  const shown = [...flags, ...common].map((flag) => ({ left: flagUsage(flag), about: flag.about }));
  const width = Math.max(0, ...shown.map(({ left }) => left.length));
  const lines = shown.map((flag) => `  ${flag.left.padEnd(width)}  ${flag.about}`);
  return `vise ${`${name} ${usage}`.trimEnd()}\n${about}\n\n${lines.join('\n')}\n`;
}

export function flagUsage({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}
