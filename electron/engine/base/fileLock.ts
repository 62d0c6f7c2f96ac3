import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Disposable, disposable } from './disposer.ts';
import { errnoOf } from './log.ts';
import { makeFolder } from './makeFolder.ts';
import { isProcessAlive, thisProcess } from './processMark.ts';
import { temporaryBeside } from './temporaryFile.ts';

/** A lock that is held, or the number of the process that holds it (0: not known). */
export type FileLock =
  | { readonly held: true; readonly lock: Disposable }
  | { readonly held: false; readonly pid: number };

/**
 * One process at a time. The lock is a link whose target names its process and when that started: made in one step with
 * what it says, also on a full disk, and a number reused after a crash locks nothing for ever. Throws the system's error.
 */
export function tryLock(path: string): FileLock {
  makeFolder(dirname(path));
  const { pid, startedAt } = thisProcess();
  const mine = `${pid} ${startedAt}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (made(path, mine)) {
      const lock = disposable(() => {
        if (read(path) === mine) rmSync(path, { force: true });
      });
      return { held: true, lock };
    }
    const link = read(path);
    if (link === undefined) continue;
    const pid = lockHolder(path);
    if (pid !== undefined) return { held: false, pid };
    takeAway(path, link);
  }
  return { held: false, pid: 0 };
}

/** The living process that holds a lock; nothing where nobody does. */
export function lockHolder(path: string): number | undefined {
  const [number = '', startedAt = ''] = read(path)?.split(' ') ?? [];
  return /^\d+$/.test(number) && isProcessAlive({ pid: Number(number), startedAt }) ? Number(number) : undefined;
}

/** Waits for others a short while: they hold it for one reading and one writing. Throws where it stays taken. */
export async function withLock<T>(path: string, act: () => T | Promise<T>, waitMs = 10_000): Promise<T> {
  // A wait of processes, not of the product's time: the system's own monotonic clock.
  const end = performance.now() + waitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(50, pauseMs * 2)) {
    const taken = tryLock(path);
    if (taken.held) {
      try {
        return await act();
      } finally {
        taken.lock.dispose();
      }
    }
    if (performance.now() > end) throw new Error(`${path} is held by process ${taken.pid}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The same for what must answer at once, as the settings do. */
export function withLockSync<T>(path: string, act: () => T, waitMs = 5_000): T {
  const end = performance.now() + waitMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(20, pauseMs * 2)) {
    const taken = tryLock(path);
    if (taken.held) {
      try {
        return act();
      } finally {
        taken.lock.dispose();
      }
    }
    if (performance.now() > end) throw new Error(`${path} is held by process ${taken.pid}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

/** Where links need a right of their own (Windows) it is a file. */
function made(path: string, text: string): boolean {
  try {
    if (process.platform === 'win32') writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    else symlinkSync(text, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Of two that find the same dead holder one moves its lock away; who moved another's live one puts it back. */
function takeAway(path: string, dead: string): void {
  const aside = temporaryBeside(path);
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = read(aside);
  rmSync(aside, { force: true });
  if (moved !== undefined && moved !== dead) made(path, moved);
}
