import { closeSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { describeError } from '../../base/log.ts';
import { isRunning, processStart } from '../processTree.ts';
import { LineEnds } from './lineEnds.ts';
import { MarkFilter } from './markFilter.ts';
import { OutputStore, type StreamName } from './outputStore.ts';
import { segmentPath } from './segments.ts';
import { readUnread, type Unread, unreadPath } from './unread.ts';

/** The copiers of a killed host end by themselves before this. */
const keeperMs = 20_000;
const pieceBytes = 256 * 1024;

/**
 * Brings what a command printed, and its host was killed before it could pass on, into the files of the task. May be repeated
 * when this process ends in the middle. Returns why that failed; then it is still where it was.
 */
export async function replayUnread(base: string): Promise<string | undefined> {
  const running = readUnread(base);
  if (running !== undefined) await copiersEnded(running);
  const unread = readUnread(base); // a host that was taken for dead may have done its work in the meantime
  if (unread === undefined) {
    rmSync(unreadPath(base), { force: true });
    return undefined;
  }
  const fault = await appendRest(base, unread);
  if (fault === undefined) discardUnread(base);
  return fault;
}

/** What was not passed on is not wanted any more. */
export function discardUnread(base: string): void {
  const unread = readUnread(base);
  rmSync(unreadPath(base), { force: true });
  if (unread !== undefined) removeCopies(unread.copies);
}

/** Removes the copies of one task; the folder with the last. Failing is harmless. */
function removeCopies(copies: string): void {
  const folder = dirname(copies);
  try {
    const mine = readdirSync(folder).filter((name) => name.startsWith(`${basename(copies)}.`));
    for (const name of mine) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch {
    // others are in it
  }
}

async function copiersEnded({ keeper, keeperStart }: Unread): Promise<void> {
  const runs = (): boolean => isRunning(keeper) && (keeperStart === undefined || processStart(keeper) === keeperStart);
  for (let waited = 0; runs() && waited < keeperMs; waited += 10) await delay(10);
}

async function appendRest(base: string, unread: Unread): Promise<string | undefined> {
  const { maxLogBytes, maxCaptureBytes, written } = unread;
  try {
    const store = new OutputStore(base, maxLogBytes, maxCaptureBytes, written);
    for (const stream of ['stdout', 'stderr'] as const) {
      for await (const text of restOf(stream, unread)) if (text.length > 0) store.append(stream, text);
    }
    store.close();
    return store.fault;
  } catch (error) {
    return describeError(error);
  }
}

async function* restOf(stream: StreamName, { copies, places, streams }: Unread): AsyncGenerator<Buffer> {
  const { segment, offset, held } = places[stream];
  const { raw, mark } = streams[stream];
  const ends = raw ? undefined : new LineEnds();
  const filter = new MarkFilter(Buffer.from(mark, 'base64'));
  const pass = (chunk: Buffer): Buffer => filter.push(ends?.push(chunk) ?? chunk);
  yield pass(Buffer.from(held, 'base64'));
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let at = segment, from = offset; ; at += 1, from = 0) {
    const fd = openSegment(segmentPath(copies, stream, at));
    if (fd === undefined) break;
    try {
      for (let size = 1; size > 0; from += size) {
        size = readSync(fd, piece, 0, piece.length, from);
        yield pass(piece.subarray(0, size));
        await setImmediate();
      }
    } finally {
      closeSync(fd);
    }
  }
  if (ends !== undefined) yield filter.push(ends.close());
  yield filter.close();
}

/** Missing after the last one, and where nothing was written. */
function openSegment(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
