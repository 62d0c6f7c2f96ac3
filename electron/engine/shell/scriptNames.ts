import type { Command } from './parse/line.ts';
import { programName } from './programs/wrapperTable.ts';

/** The text of a script that the project's package names; lent by the project's room. */
export type PackageScript = (folder: string, name: string) => string | undefined;

/** Verbs of npm, pnpm, yarn and bun that run the script of their own name. */
const ownScripts = /^(?:test|start|stop|restart)$/;
const short: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };

/** The scripts of a package that this command runs, with those before and after it: their text is a line for the shell. */
export function scriptNames({ argv }: Command): readonly string[] {
  const manager = programName(argv[0] ?? '');
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return [];
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const verb = words[0] ?? '';
  const name = /^(?:run|run-script|rum|urn)$/.test(verb) ? words[1] : scriptOfVerb(manager, verb);
  return name === undefined ? [] : [`pre${name}`, name, `post${name}`];
}

function scriptOfVerb(manager: string, verb: string): string | undefined {
  const full = short[verb] ?? verb;
  if (manager === 'bun' && full === 'test') return undefined; // its own runner
  if (ownScripts.test(full)) return full;
  // yarn, pnpm and bun look among the scripts for a verb that is none of theirs.
  return manager === 'npm' || verb === '' ? undefined : verb;
}
