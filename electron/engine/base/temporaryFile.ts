import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from './processMark.ts';

/** A name that nobody can guess, beside a file of Vise's own that is about to take its place; it says whose it is. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
}

const temporary = /^\..+\.(\d+)-[0-9a-f]{12,16}\.tmp$/;

/** Whether a name is one that a process had given which is no more. */
export function isAbandonedTemporary(name: string): boolean {
  const pid = Number(temporary.exec(name)?.[1] ?? 0);
  return pid > 0 && !isProcessAlive({ pid, startedAt: '' });
}
