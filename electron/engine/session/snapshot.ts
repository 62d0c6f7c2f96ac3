import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { emptySession, type Item, type SessionState } from '../../../shared/model/sessionState.ts';
import { chunkOf, timelineLength } from '../../../shared/model/timeline.ts';
import { bytesOf } from '../base/jsonBytes.ts';
import { type Redact, redactedJson } from '../base/redact.ts';
import { temporaryBeside } from '../base/temporaryFile.ts';
import { journalName } from './journal.ts';
import { eachWholeLine } from './wholeLines.ts';

/** A session as of a place in its journal. */
export interface SessionAt {
  readonly state: SessionState;
  readonly seq: number;
  /** Bytes of the journal that the state was made from. */
  readonly wholeBytes: number;
}

/** A snapshot of another format is none. */
const snapshotFormat = 3;
const snapshotName = 'snapshot.jsonl';
/** Of the journal's beginning and of what stands before the place: of another journal they would be others. */
const markedBytes = 4 * 1024;

/**
 * Keeps the state beside the journal, so that the next opening reads only what came after it. In lines, an item of
 * the timeline each, written chunk by chunk: neither a large text nor a long wait of the engine comes of it. It can
 * be thrown away at any time; one that does not fit its journal, or is of another version of Vise, is not read. `isWanted` is
 * asked between the pieces. Rejects with the system's error.
 */
export async function writeSnapshot(
  folder: string,
  version: string,
  { state, seq, wholeBytes }: SessionAt,
  { redact, isWanted }: { readonly redact: Redact; readonly isWanted: () => boolean },
): Promise<void> {
  const mark = journalMark(join(folder, journalName), wholeBytes);
  if (mark === undefined) return;
  const path = join(folder, snapshotName);
  const temporary = temporaryBeside(path);
  const { items, ...rest } = state;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      const head: Head = { snapshot: snapshotFormat, version, seq, wholeBytes, mark };
      await put(file, [JSON.stringify(head), redactedJson(rest, redact)]);
      for (const chunk of items) {
        await breathe();
        if (!isWanted()) break;
        await put(
          file,
          chunk.map((item) => redactedJson(item, redact)),
        );
      }
      await put(file, [JSON.stringify({ items: timelineLength(items) })]);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (isWanted()) await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function put(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(bytesOf(lines.flatMap((line) => [line, '\n'])));
}

interface Head {
  readonly snapshot: number;
  readonly version: string;
  readonly seq: number;
  readonly wholeBytes: number;
  readonly mark: string;
}

/**
 * The newest snapshot that fits the journal. Without `items` the timeline is left empty: enough for the session's line in
 * the list, as a snapshot is taken only while nothing of the timeline is under way.
 */
export function readSnapshot(folder: string, version: string, { items = true } = {}): SessionAt | undefined {
  try {
    const file = openSync(join(folder, snapshotName), 'r');
    try {
      return readFrom(file, folder, version, items);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // none, or a torn one: the journal has everything
  }
}

function readFrom(file: number, folder: string, version: string, withItems: boolean): SessionAt | undefined {
  let head = undefined as Head | undefined;
  let state = undefined as SessionState | undefined;
  const timeline: Item[][] = [];
  let items = 0;
  let isWhole = false;
  eachWholeLine(file, (text) => {
    // Written by this module alone, whole or not at all: its shape is not checked again.
    const value = JSON.parse(text) as unknown;
    if (head === undefined) {
      head = value as Head;
      if (head.snapshot !== snapshotFormat || head.version !== version) return false;
      return journalMark(join(folder, journalName), head.wholeBytes) === head.mark;
    }
    if (state === undefined) {
      state = { ...emptySession, ...(value as Omit<SessionState, 'items'>), items: [] };
      isWhole = !withItems;
      return withItems;
    }
    if ('kind' in (value as object)) {
      const chunk = timeline[chunkOf(items)];
      if (chunk) chunk.push(value as Item);
      else timeline.push([value as Item]);
      items += 1;
    } else isWhole = (value as { readonly items: number }).items === items;
    return true;
  });
  if (!head || !state || !isWhole) return undefined;
  return { state: { ...state, items: timeline }, seq: head.seq, wholeBytes: head.wholeBytes };
}

/** What the journal says at its beginning and right before a place; nothing where it is shorter, or no line ends there. */
function journalMark(path: string, wholeBytes: number): string | undefined {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size < wholeBytes) return undefined;
    const hash = createHash('sha256');
    const bytes = Buffer.alloc(Math.min(markedBytes, wholeBytes));
    for (const position of [0, wholeBytes - bytes.length])
      hash.update(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position)));
    return bytes.at(-1) === 10 ? hash.digest('hex') : undefined;
  } finally {
    closeSync(file);
  }
}
