import { readdirSync, readFileSync, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { ContentId } from '../../../shared/model/change.ts';
import { isSessionEvent, type SessionEvent } from '../../../shared/model/event.ts';
import { isProcessAlive, type ProcessMark } from '../base/processMark.ts';
import { isAbandonedTemporary, temporaryBeside } from '../base/temporaryFile.ts';

/** One file of a multi-file write as it is written down before the first byte of the project changes. */
export interface RecordedFile {
  /** As people know it. */
  readonly path: string;
  readonly real: string;
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  /** Names in the file's own folder: what is about to become the file (of a removed one: where it goes first), and what it was. */
  readonly temporary: string;
  readonly backup: string;
}

/**
 * The promise that a set of files changes as a whole: kept in the state folder while the set is under way. A file of JSON
 * lines: the plan, the marks of the new files once they exist, and that all are in place.
 */
export interface ApplyRecord {
  readonly version: 2;
  readonly id: string;
  /** The session whose call it was. */
  readonly session: string;
  /** The process that is at it, so that another engine's work is not taken for a crash. */
  readonly owner: ProcessMark;
  readonly files: readonly RecordedFile[];
  /** Folders that were made for new files, outermost first. */
  readonly folders: readonly string[];
  /** What its session is told once all files are in place. */
  readonly fact?: SessionEvent | undefined;
}

/** An entry on the disk with its content: nobody else's file is ever taken for it, even one with the same bytes. */
export interface EntryMark {
  readonly ino: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A record that a dead process left. */
export interface AbandonedRecord extends ApplyRecord {
  /** Of the new files, in their order; null for removed ones. Empty: no file of the project had been touched. */
  readonly marks: readonly (EntryMark | null)[];
  /** Every file has its new content, only the backups are still there. */
  readonly isDone: boolean;
}

const fileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    real: z.string(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    temporary: z.string(),
    backup: z.string(),
  }),
);
const recordSchema = z.lazy(() =>
  z.object({
    version: z.literal(2),
    id: z.string(),
    session: z.string(),
    owner: z.object({ pid: z.number(), startedAt: z.string() }),
    files: z.array(fileSchema),
    folders: z.array(z.string()),
    fact: z.custom<SessionEvent>(isSessionEvent).optional(),
  }),
);
const marksSchema = z.lazy(() =>
  z.object({
    marks: z.array(z.object({ ino: z.number(), sizeBytes: z.number(), modifiedMs: z.number() }).nullable()),
  }),
);

export function markOf({ ino, size, mtimeMs }: Stats): EntryMark {
  return { ino, sizeBytes: size, modifiedMs: mtimeMs };
}

export function hasMark(stats: Stats | undefined, mark: EntryMark | null | undefined): boolean {
  return (
    stats !== undefined &&
    stats.isFile() &&
    mark?.ino === stats.ino &&
    mark.sizeBytes === stats.size &&
    mark.modifiedMs === stats.mtimeMs
  );
}

export async function writeRecord(folder: string, record: ApplyRecord): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error(`${folder} is a link`), { code: 'ELOOP' });
  const file = fileOf(folder, record.id);
  const temporary = temporaryBeside(file);
  try {
    await withFile(temporary, 'wx', async (handle) => {
      await handle.writeFile(`${JSON.stringify(record)}\n`);
      await handle.sync();
    });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (process.platform !== 'win32') await withFile(folder, 'r', (handle) => handle.sync());
}

/** Before the first file of the project is touched. */
export function recordMarks(folder: string, id: string, marks: readonly (EntryMark | null)[]): Promise<void> {
  return addLine(folder, id, { marks });
}

/** Every file has its new content: from here on nothing is taken back. */
export function recordDone(folder: string, id: string): Promise<void> {
  return addLine(folder, id, { done: true });
}

export async function removeRecord(folder: string, id: string): Promise<void> {
  await rm(fileOf(folder, id), { force: true });
}

/** What was cut off before it was a record: no file of a project had been touched. */
export async function removeTornRecords(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (isAbandonedTemporary(name)) await rm(path.join(folder, name), { force: true });
}

/** The records of writes that nobody is at any more. A file that is no record is left alone. */
export function abandonedRecords(folder: string): readonly AbandonedRecord[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRecord(path.join(folder, name)))
    .filter((record): record is AbandonedRecord => record !== undefined && !isProcessAlive(record.owner));
}

/** Undefined when it is no record, or gone. */
export function readRecord(file: string): AbandonedRecord | undefined {
  try {
    const [plan = '', ...later] = readFileSync(file, 'utf8').split('\n');
    const record = recordSchema.parse(JSON.parse(plan));
    const lines = later.map(parsed);
    const marks = lines.flatMap((line) => marksSchema.safeParse(line).data?.marks ?? []);
    const isDone = lines.some((line) => typeof line === 'object' && line !== null && 'done' in line);
    return { ...record, marks, isDone };
  } catch {
    return undefined;
  }
}

export function fileOf(folder: string, id: string): string {
  return path.join(folder, `${id}.json`);
}

/** The last line may be torn by the crash. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function addLine(folder: string, id: string, line: unknown): Promise<void> {
  return withFile(fileOf(folder, id), 'a', async (handle) => {
    await handle.writeFile(`${JSON.stringify(line)}\n`);
    await handle.datasync();
  });
}

async function withFile(
  file: string,
  flags: string,
  act: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await act(handle);
  } finally {
    await handle.close();
  }
}
