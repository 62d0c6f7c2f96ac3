import { existsSync } from 'node:fs';
import { type Parsed, textFlag } from './flags.ts';

/**
 * What is wrong with the file of `--rules`, or nothing. The engine would ask about everything while a rules file cannot
 * be read; a person who has just named one is told at once instead.
 */
export async function checkRules(parsed: Parsed): Promise<string | undefined> {
  const path = textFlag(parsed, 'rules');
  if (path === undefined) return undefined;
  if (!existsSync(path)) return `--rules ${path}: there is no such file.`;
  const { readRules } = await import('../engine/permission/rules/rulesFile.ts');
  const read = readRules(path, 'session');
  return read.ok ? undefined : read.error.message;
}
