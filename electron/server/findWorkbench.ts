import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { Connection } from '../../shared/contract/connection.ts';
import { isRecord, readJsonFile } from '../engine/base/jsonFile.ts';
import { isProcessAlive } from '../engine/base/processMark.ts';
import { notesFolder, type WorkbenchNote } from './externalServer.ts';
import { webSocketConnection } from './webSocketConnection.ts';

/** A workbench of this machine answers at once or does not run any more. */
const connectMs = 2_000;

/**
 * The workbenches of this user that run now, newest first. A note counts only when its file and folder are this user's
 * and nobody else's to read or write, the process is alive and is the one that wrote it, and it leads to this machine.
 */
export function runningWorkbenches(state: string): readonly WorkbenchNote[] {
  const folder = notesFolder(state);
  if (!isPrivate(folder, 'folder')) return [];
  const found: { readonly note: WorkbenchNote; readonly at: number }[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!/^\d+\.json$/.test(name) || !isPrivate(path, 'file')) continue;
    const read = readJsonFile(path, 10_000);
    const note = read.state === 'read' ? noteOf(read.value) : undefined;
    if (note === undefined || name !== `${note.pid}.json`) continue;
    if (isProcessAlive({ pid: note.pid, startedAt: note.start }))
      found.push({ note, at: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 });
    else rmSync(path, { force: true });
  }
  return found.toSorted((a, b) => b.at - a.at).map(({ note }) => note);
}

/** A connection to the newest workbench that answers; undefined when none does. */
export async function connectToWorkbench(state: string): Promise<Connection | undefined> {
  for (const note of runningWorkbenches(state)) {
    const socket = await open(note);
    if (socket) return webSocketConnection(socket);
  }
  return undefined;
}

function open({ url, token }: WorkbenchNote): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: connectMs,
      perMessageDeflate: false,
    });
    socket.once('open', () => resolve(socket));
    socket.on('error', () => {
      socket.terminate();
      resolve(undefined);
    });
  });
}

function noteOf(value: unknown): WorkbenchNote | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, start, url, token } = value;
  const fits =
    typeof pid === 'number' &&
    Number.isInteger(pid) &&
    pid > 0 &&
    typeof start === 'string' &&
    typeof token === 'string' &&
    typeof url === 'string' &&
    /^ws:\/\/127\.0\.0\.1:\d{1,5}\/external$/.test(url);
  return fits ? { pid, start, url, token } : undefined;
}

/** Where the system knows users: owned by this one, and closed to all others. Links are refused. */
function isPrivate(path: string, kind: 'file' | 'folder'): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || !(kind === 'file' ? stats.isFile() : stats.isDirectory())) return false;
  const own = process.getuid?.();
  return own === undefined || (stats.uid === own && (stats.mode & (kind === 'file' ? 0o077 : 0o022)) === 0);
}
