import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Disposable, disposable } from '../base/disposer.ts';
import { describeError, errnoOf } from '../base/log.ts';
import { makeFolder } from '../base/makeFolder.ts';

/**
 * One engine writes a session at a time. The lock names the process and when it started, so that a number reused by
 * another process after a crash does not lock a session for ever.
 */
export function lockSession(path: string): Result<Disposable> {
  const mine = `${process.pid} ${startOf(process.pid)}`;
  makeFolder(dirname(path));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, mine);
      closeSync(file);
      return ok(disposable(() => rmSync(path, { force: true })));
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') return fail('INTERNAL', `The session cannot be locked: ${describeError(error)}`);
    }
    const holder = readHolder(path);
    if (holder && isAlive(holder.pid, holder.start)) {
      return fail(
        'UNAVAILABLE',
        `This session is open in another Vise (process ${holder.pid}). Close it there, or use it there.`,
      );
    }
    rmSync(path, { force: true });
  }
  return fail('UNAVAILABLE', 'This session is being opened by another Vise at this moment. Try again.');
}

function readHolder(path: string): { pid: number; start: string } | undefined {
  try {
    const [pid = '', start = ''] = readFileSync(path, 'utf8').split(' ');
    return /^\d+$/.test(pid) ? { pid: Number(pid), start } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === '' || start === '' || now === start;
}

/** The start time of a process in clock ticks since boot (proc(5), field 22), or nothing where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
