import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from '../../base/processMark.ts';

/** A host that is being started is waited for this long before its tasks are given up. */
const startMs = 10_000;
const windows = process.platform === 'win32';
const pipes = '\\\\.\\pipe\\';
const pipePrefix = (folder: string): string => `vise-host-${basename(folder)}-`;

/** Where the PTY hosts of this user listen. */
export const userSocketFolder = (): string => join(tmpdir(), `vise-${process.getuid?.() ?? 0}`);

/**
 * The folder of the sockets of those who keep their tasks in `taskFolder`, which is one state folder's for one project: nobody
 * else finds their hosts. Its name is short, since a socket's path has 107 bytes at most.
 */
export function ownSocketFolder(socketFolder: string, taskFolder: string): string {
  return join(socketFolder, createHash('sha256').update(realFolder(taskFolder)).digest('hex').slice(0, 12));
}

/** The same folder has one name, however it was reached. */
function realFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  } catch {
    return folder; // no command can run without it
  }
}

/** Where a host that keeps running is found: a socket in the folder, on Windows a pipe. */
export function hostSocket(folder: string, pid: number): string {
  return windows ? join(pipes, `${pipePrefix(folder)}${pid}`) : join(folder, `host-${pid}.sock`);
}

/** Says that a host was started, before it can say so itself: an engine may be killed in between. */
export function announceHost(folder: string, pid: number | undefined): void {
  if (pid === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(startMark(folder, pid), '', { mode: 0o600 });
}

/** The host listens. */
export function hostIsReady(folder: string, pid: number): void {
  rmSync(startMark(folder, pid), { force: true });
}

/** The sockets of all hosts of this folder, those that are about to listen included. Marks of dead ones are removed. */
export async function hostSockets(folder: string): Promise<readonly string[]> {
  for (let waited = 0; waited < startMs && startingHosts(folder).length > 0; waited += 20) await delay(20);
  for (const pid of startingHosts(folder)) hostIsReady(folder, pid);
  const place = windows ? pipes : folder;
  return list(place)
    .filter((name) => (windows ? name.startsWith(pipePrefix(folder)) : /^host-\d+\.sock$/.test(name)))
    .map((name) => join(place, name));
}

function startingHosts(folder: string): readonly number[] {
  return list(folder).flatMap((name) => {
    const pid = Number(/^host-(\d+)\.starting$/.exec(name)?.[1] ?? 0);
    if (pid <= 1) return [];
    if (isRunning(pid)) return [pid];
    hostIsReady(folder, pid);
    return [];
  });
}

function startMark(folder: string, pid: number): string {
  return join(folder, `host-${pid}.starting`);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
