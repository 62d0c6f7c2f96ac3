import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type Envelope, envelopeFault, isEnvelope, type SessionEventType } from '../../../shared/model/event.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError, errnoOf } from '../base/log.ts';
import { makeFolder } from '../base/makeFolder.ts';
import { type Redact, redactValue } from '../base/redact.ts';

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
  'turn.finished',
]);

/** What the person said goes to the disk at once, but the model may be asked meanwhile: that touches nothing. */
const sent: ReadonlySet<SessionEventType> = new Set(['turn.started', 'message.queued']);

/** An answer by a level or a rule is the same when it is asked for again; a person would be asked twice. */
function mustStay({ event }: Envelope): boolean {
  return synced.has(event.type) && !(event.type === 'permission.answered' && event.answer.by !== 'user');
}

export interface Journal {
  /**
   * Written when it returns. Facts given together are one line: a crash leaves all of them or none. Waits for the disk
   * where one of them must not be lost. Throws the system's error (disk full …).
   */
  append(envelopes: readonly Envelope[]): void;
  close(): void;
}

export interface JournalContent {
  readonly envelopes: readonly Envelope[];
  /** Bytes up to the end of the last whole line; what follows was torn by a crash. */
  readonly wholeBytes: number;
  readonly torn: boolean;
  /** Lines in the middle whose facts are none: passed over, and left in the file as they are. */
  readonly skipped: readonly SkippedLine[];
}

export interface SkippedLine {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

export function createJournal(path: string): Journal {
  makeFolder(dirname(path));
  const file = openSync(path, 'ax', 0o600);
  const head = Buffer.from(`${JSON.stringify({ journal: journalVersion })}\n`);
  return keptOpen(file, () => writeWhole(file, head), head.length);
}

/** Goes on with a journal: a torn last line is cut off first, so that the next fact starts on a line of its own. */
export function continueJournal(path: string, wholeBytes: number): Journal {
  const file = openSync(path, 'a', 0o600);
  const cut = (): void => {
    if (fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
  };
  return keptOpen(file, cut, wholeBytes);
}

function keptOpen(file: number, prepare: () => void, startBytes: number): Journal {
  try {
    prepare();
    return journalOver(file, startBytes);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function journalOver(file: number, startBytes: number): Journal {
  let open = true;
  let sizeBytes = startBytes;
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
    append(envelopes) {
      if (!open) throw new Error('the journal is closed');
      const line = Buffer.from(`${JSON.stringify(envelopes.length === 1 ? envelopes[0] : envelopes)}\n`);
      try {
        writeWhole(file, line);
      } catch (error) {
        cutBack();
        throw error;
      }
      sizeBytes += line.length;
      if (envelopes.some(mustStay)) fdatasyncSync(file);
      // Where it fails, the next fact that must not be lost fails loudly.
      else if (envelopes.some(({ event }) => sent.has(event.type))) fdatasync(file, () => undefined);
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

/** Errors: SESSION_NOT_FOUND, CONFIG_INVALID (newer version, not a journal, or the first fact is damaged). A torn
 * last line and damaged ones in the middle are no error. */
export function readJournal(path: string): Result<JournalContent> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return fail('SESSION_NOT_FOUND', `There is no journal at ${path}.`);
    return fail('INTERNAL', `The journal ${path} cannot be read: ${describeError(error)}`);
  }
  const wholeBytes = bytes.lastIndexOf(10) + 1;
  const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n');
  const version = versionOf(lines[0] ?? '');
  if (version === undefined) return fail('CONFIG_INVALID', `${path} is not a journal of Vise.`);
  if (version > journalVersion) {
    return fail(
      'CONFIG_INVALID',
      `${path} was written by a newer Vise (journal version ${version}); it is left as it is. Update Vise to open it.`,
    );
  }
  const envelopes: Envelope[] = [];
  const skipped: SkippedLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '') continue;
    const facts = parseLine(line);
    if (typeof facts === 'string') {
      // The first one says whose session it is: without it there is none.
      if (index === 1)
        return fail('CONFIG_INVALID', `${path} is damaged where it begins (${facts}); it is left as it is.`);
      skipped.push({ line: index + 1, why: facts });
    } else if ('seq' in facts) envelopes.push(facts);
    else envelopes.push(...facts);
  }
  return ok({ envelopes, wholeBytes, torn: wholeBytes < bytes.length, skipped });
}

/** The first fact of a journal, without reading the rest: enough to know whose it is. */
export function readFirstFact(path: string): Envelope | undefined {
  const buffer = Buffer.alloc(64 * 1024);
  try {
    const file = openSync(path, 'r');
    try {
      const size = readSync(file, buffer, 0, buffer.length, 0);
      const facts = parseLine(buffer.subarray(0, size).toString('utf8').split('\n')[1] ?? '');
      return typeof facts === 'string' ? undefined : [facts].flat()[0];
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function versionOf(line: string): number | undefined {
  const head = parseJson(line);
  return typeof head === 'object' && head !== null && 'journal' in head && typeof head.journal === 'number'
    ? head.journal
    : undefined;
}

/** One fact, or a list of facts that belong together; else why the line is none. */
function parseLine(line: string): Envelope | readonly Envelope[] | string {
  const parsed = parseJson(line);
  const isOld = inlinePicture.test(line);
  if (isEnvelope(parsed)) return isOld ? withoutInlinePictures(parsed) : parsed;
  if (parsed === undefined) return 'not JSON';
  if (Array.isArray(parsed) && parsed.every(isEnvelope)) return isOld ? parsed.map(withoutInlinePictures) : parsed;
  return envelopeFault(Array.isArray(parsed) ? parsed.find((fact) => !isEnvelope(fact)) : parsed);
}

/** Where earlier versions wrote a picture into a result, in base64. */
const inlinePicture = /"(?:imageData|images)":/;

const withPictures = z.lazy(() =>
  z.union([
    z.looseObject({ imageData: z.string(), mimeType: z.string() }),
    z.looseObject({ images: z.array(z.object({ data: z.string(), mimeType: z.string() })).min(1) }),
  ]),
);

/** Such a picture is not kept any more; the result says so in its place. */
function withoutInlinePictures(envelope: Envelope): Envelope {
  const { event } = envelope;
  if (event.type !== 'tool.finished' || !event.result.success || event.brought) return envelope;
  const old = withPictures.safeParse(event.result.data);
  if (!old.success) return envelope;
  const note = '(a picture that an earlier version of Vise kept here; it is no longer shown)';
  const data = { ...old.data, ['imageData' in old.data ? 'imageData' : 'images']: note };
  return { ...envelope, event: { ...event, result: { ...event.result, data } } };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A journal that never gets a key to write. */
export function redactedJournal(journal: Journal, redact: Redact): Journal {
  return {
    append: (envelopes) => journal.append(redactValue(envelopes, redact)),
    close: () => journal.close(),
  };
}
