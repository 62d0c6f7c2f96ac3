import { type Command, literalWord } from '../parse/line.ts';
import type { Program, Runs } from './program.ts';

/**
 * How the command lines of databases run commands of the system and write files (sqlite3 3.46, DuckDB 1.x, psql 17, mysql 9, MariaDB
 * 11). Their commands may be shortened, so the first letters decide.
 */
const runForms: readonly RegExp[] = [
  /^\s*\.s[hy][a-z]*\s+(.+)$/gim,
  /^\s*\.(?:o|ou|on|im|re|lo)[a-z]*\s+(?:-\S+\s+)*["']?\|\s*(.+?)["']?\s*$/gim,
  /\\!\s*(.+)$/gm,
  /\\(?:o|out|g|gx|w|i)\s*\|\s*(.+)$/gm,
  /^\s*(?:\\P|pager|system)\s+(.+)$/gim,
  /\bprogram\s+'([^']+)'/gi,
];

const writeForms: readonly RegExp[] = [
  /^\s*\.(?:o|ou|on|op|lo|ba|sa|cl)[a-z]*\s+(?:[^|\n]*\s)?["']?([^\s"'|]+)["']?\s*$/gim,
  /\bwritefile\s*\(\s*'([^']+)'/gi,
  /\b(?:attach(?:\s+database)?|into|outfile|dumpfile|export\s+database|to)\s+['"]([^'"]+)['"]/gi,
  /\\(?:o|out|g|gx|w|T)\s+([^\s|'"\\;]+)/g,
  /\\copy\s[^\n]*\bto\s+(?!program\b|p?std)([^\s'";]+)/gi,
  /^\s*tee\s+([^\s;]+)/gim,
];

const found = (forms: readonly RegExp[], texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? '')));

/** What stands in `-c`, `-e`, `-cmd`, in plain words and in what is sent with the line. */
function runs({ argv, redirects }: Command): Runs | undefined {
  const texts = [...argv.slice(1), ...redirects.flatMap(({ body }) => body ?? [])];
  const scripts = found(runForms, texts);
  const writes = found(writeForms, texts);
  if (scripts.length + writes.length === 0) return undefined;
  return { scripts, writes: writes.map(literalWord), reach: argv.length, apart: true };
}

const client = { connects: true, interprets: 'code', runs } as const;

export const databases: readonly Program[] = [
  ...['sqlite3', 'duckdb'].map((names): Program => ({ names, interprets: 'code', writes: 'first', runs })),
  { ...client, names: 'psql', outputs: '-o --output -L --log-file' },
  ...['mysql', 'mariadb'].map((names): Program => ({ ...client, names, outputs: '--tee', takes: [{ long: 'pager' }] })),
  ...['mongo', 'mongosh', 'redis-cli'].map((names): Program => ({ names, connects: true, interprets: 'code' })),
];
