import { readdirSync, readFileSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ContentId } from '../../../shared/model/change.ts';

/** One file of a multi-file write as it is written down before the first byte of the project changes. */
export interface RecordedFile {
  /** As people know it. */
  readonly path: string;
  readonly real: string;
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  /** Names in the file's own folder: what is about to become the file, and what it was. */
  readonly temporary: string;
  readonly backup: string;
  readonly mode: number;
}

/** The promise that a set of files changes as a whole: kept in the state folder while the set is under way. */
export interface ApplyRecord {
  readonly version: 1;
  readonly id: string;
  /** The process that is at it, so that another engine's work is not taken for a crash. */
  readonly owner: { readonly pid: number; readonly startedAt: string };
  /** `done`: every file has its new content, only the backups are still there. */
  readonly stage: 'writing' | 'done';
  readonly files: readonly RecordedFile[];
  /** Folders that were made for new files, outermost first. */
  readonly folders: readonly string[];
}

export async function writeRecord(folder: string, record: ApplyRecord): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error(`${folder} is a link`), { code: 'ELOOP' });
  const file = path.join(folder, `${record.id}.json`);
  const temporary = `${file}.tmp`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(record));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(folder);
}

export async function removeRecord(folder: string, id: string): Promise<void> {
  await rm(path.join(folder, `${id}.json`), { force: true });
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The records of writes that nobody is at any more. A file that is no record is left alone. */
export function abandonedRecords(folder: string): readonly ApplyRecord[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRecord(path.join(folder, name)))
    .filter((record): record is ApplyRecord => record !== undefined && !isAlive(record.owner));
}

function readRecord(file: string): ApplyRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is ApplyRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<ApplyRecord>;
  return (
    record.version === 1 &&
    typeof record.id === 'string' &&
    Array.isArray(record.files) &&
    Array.isArray(record.folders) &&
    typeof record.owner?.pid === 'number'
  );
}

export function thisProcess(): ApplyRecord['owner'] {
  return { pid: process.pid, startedAt: startOf(process.pid) };
}

/** Ids of processes are used again: on Linux the time of the start tells the old one from the new. */
function isAlive({ pid, startedAt }: ApplyRecord['owner']): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  return startOf(pid) === startedAt;
}

/** Field 22 of /proc/PID/stat (proc(5)); the name in field 2 may hold blanks and brackets. Empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
