import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Envelope, SessionEventType } from '../../../shared/model/event.ts';
import { bytesOf } from '../base/jsonBytes.ts';
import { makeFolder } from '../base/makeFolder.ts';
import { type Redact, redactedJson } from '../base/redact.ts';

/** Its file in the folder of the session. */
export const journalName = 'journal.jsonl';

/** The version of the journal's lines. A journal of a newer version is read by nobody and never written to (S6). */
export const journalVersion = 1;

/**
 * Facts that must be on the disk before the world goes on: what the person decided, and what touches the project. The
 * others are written at once too, but may wait for the system to reach the platter.
 */
const synced: ReadonlySet<SessionEventType> = new Set([
  'permission.answered',
  'permission.granted',
  'change.applied',
  'change.rebased',
  'change.undone',
  'change.redone',
  'session.rewound',
  'turn.finished',
]);

/** What the person said goes to the disk at once, but the model may be asked meanwhile: that touches nothing. */
const sent: ReadonlySet<SessionEventType> = new Set(['turn.started', 'message.queued']);

/** An answer by a level or a rule is the same when it is asked for again; a person would be asked twice. */
function mustStay({ event }: Envelope): boolean {
  return synced.has(event.type) && !(event.type === 'permission.answered' && event.answer.by !== 'user');
}

export interface Journal {
  /** All whole lines. */
  readonly sizeBytes: number;
  /**
   * Written when it returns: the end of the process loses nothing. Facts given together are one line: a crash leaves all of
   * them or none. Throws the system's error (disk full …), also that of an earlier wait for the disk.
   */
  append(envelopes: readonly Envelope[]): void;
  /** Resolves when what must not be lost is on the disk: the end of the machine loses nothing. Rejects with the system's error. */
  durable(): Promise<void>;
  close(): void;
}

/** `redact`: no key that it knows is ever written. */
export function createJournal(path: string, redact = nothingHidden): Journal {
  makeFolder(dirname(path));
  const file = openSync(path, 'ax', 0o600);
  const head = Buffer.from(`${JSON.stringify({ journal: journalVersion })}\n`);
  return keptOpen(file, () => writeWhole(file, head), head.length, redact);
}

/** Goes on with a journal: a torn last line is cut off first, so that the next fact starts on a line of its own. */
export function continueJournal(path: string, wholeBytes: number, redact = nothingHidden): Journal {
  const file = openSync(path, 'a', 0o600);
  const cut = (): void => {
    if (fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
  };
  return keptOpen(file, cut, wholeBytes, redact);
}

const nothingHidden: Redact = (text) => text;

function keptOpen(file: number, prepare: () => void, startBytes: number, redact: Redact): Journal {
  try {
    prepare();
    return journalOver(file, startBytes, redact);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function journalOver(file: number, startBytes: number, redact: Redact): Journal {
  let open = true;
  let sizeBytes = startBytes;
  let syncing: Promise<unknown> = Promise.resolve();
  let fault: Error | undefined;
  /** Half a line (disk full) must not stand before the next whole one; where it cannot be cut off, nothing follows it. */
  const cutBack = (): void => {
    try {
      ftruncateSync(file, sizeBytes);
    } catch {
      open = false;
      closeSync(file);
    }
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    append(envelopes) {
      if (!open) throw new Error('the journal is closed');
      if (fault) throw fault;
      const [only] = envelopes;
      const line = bytesOf([redactedJson(only && envelopes.length === 1 ? only : envelopes, redact), '\n']);
      try {
        writeWhole(file, line);
      } catch (error) {
        cutBack();
        throw error;
      }
      sizeBytes += line.length;
      // Never on the engine's own thread: a slow disk would hold up every window.
      if (envelopes.some((one) => mustStay(one) || sent.has(one.event.type))) {
        const { promise, resolve } = Promise.withResolvers<void>();
        fdatasync(file, (error) => {
          fault ??= error ?? undefined;
          resolve();
        });
        syncing = Promise.all([syncing, promise]);
      }
    },
    async durable() {
      await syncing;
      if (fault) throw fault;
    },
    close() {
      if (!open) return;
      open = false;
      try {
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
