import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { codeOf } from './sandbox.ts';
import { hashOf } from './textFile.ts';
import { writeProblem } from './writeProblem.ts';

/** Before-images and proposals, by the SHA-256 of their bytes. Bounded; what nobody names any more can be collected. */
export interface Contents {
  readonly folder: string;
  /** Idempotent. Errors: DISK_FULL, FILE_WRITE_ERROR, LIMIT_EXCEEDED when the cap is reached and nothing can be collected. */
  put(bytes: Uint8Array): Promise<Result<ContentId>>;
  /** Errors: FILE_NOT_FOUND; UNAVAILABLE when the stored bytes are damaged. */
  get(id: ContentId): Promise<Result<Uint8Array>>;
  /** Removes what is neither live nor young. */
  collect(
    live: ReadonlySet<ContentId>,
  ): Promise<{ readonly removed: number; readonly removedBytes: number; readonly totalBytes: number }>;
}

/** Half a gigabyte of before-images is years of edits; peers were seen with many gigabytes of snapshots. */
const defaultMaxBytes = 512 * 1024 * 1024;
/** Younger contents may belong to what is not written down yet: a change of another process, a picture of a draft. */
const defaultYoungMs = 24 * 60 * 60 * 1000;

const idPattern = /^[0-9a-f]{64}$/;

export function createContents(options: {
  readonly folder: string;
  readonly maxBytes?: number;
  /** Asked when the cap is reached: every id that a journal still names. */
  readonly liveIds?: () => Promise<ReadonlySet<ContentId>>;
  readonly youngMs?: number;
  readonly now?: () => number;
}): Contents {
  const { folder, maxBytes = defaultMaxBytes, liveIds, youngMs = defaultYoungMs, now = Date.now } = options;
  let totalBytes = 0;
  let measured: Promise<void> | undefined;
  const fileOf = (id: ContentId) => fileIn(folder, id);

  const put: Contents['put'] = async (bytes) => {
    const id = hashOf(bytes);
    const file = fileOf(id);
    try {
      if (await isStored(file, bytes.length)) {
        const seconds = now() / 1000;
        await utimes(file, seconds, seconds);
        return ok(id);
      }
      measured ??= sizeOf(folder).then((size) => {
        totalBytes = size;
      });
      await measured;
      if (totalBytes + bytes.length > maxBytes && liveIds) await collect(await liveIds());
      if (totalBytes + bytes.length > maxBytes) {
        return fail(
          'LIMIT_EXCEEDED',
          `The store of this session’s earlier contents is full (${maxBytes} bytes). Raise storage.maxContentMb in the settings, or begin a new session`,
          { totalBytes, maxBytes },
        );
      }
      // Counted before it is written: others may be on their way at the same time.
      totalBytes += bytes.length;
      try {
        await makeFolder(folder, path.dirname(file));
        await writeOnce(file, bytes);
      } catch (error) {
        totalBytes -= bytes.length;
        throw error;
      }
      return ok(id);
    } catch (error) {
      return writeProblem(error, 'the store of earlier contents');
    }
  };

  const get: Contents['get'] = async (id) => {
    if (!idPattern.test(id)) return fail('FILE_NOT_FOUND', 'This is not the id of a content');
    try {
      const handle = await open(fileOf(id), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const bytes = await handle.readFile();
        return hashOf(bytes) === id ? ok(bytes) : fail('UNAVAILABLE', `The stored content ${id} is damaged`);
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return fail('FILE_NOT_FOUND', `The content ${id} is no longer kept`);
      return fail('UNAVAILABLE', `The content ${id} cannot be read (${code})`);
    }
  };

  const collect: Contents['collect'] = async (live) => {
    let removed = 0;
    let removedBytes = 0;
    let left = 0;
    for await (const { file, id, stats } of storedFiles(folder)) {
      const isKept = live.has(id) || now() - stats.mtimeMs < youngMs;
      if (isKept) left += stats.size;
      else {
        await rm(file, { force: true });
        removed += 1;
        removedBytes += stats.size;
      }
    }
    totalBytes = left;
    return { removed, removedBytes, totalBytes: left };
  };
  return { folder, put, get, collect };
}

/** Gives one store what another one has: links, as bytes never change under their id; copies where there are no links. */
export async function shareContents(from: Contents, to: Contents): Promise<void> {
  for await (const { file, id } of storedFiles(from.folder)) {
    if (!idPattern.test(id)) continue;
    const place = fileIn(to.folder, id);
    await makeFolder(to.folder, path.dirname(place));
    await link(file, place).catch(() => copyFile(file, place));
  }
}

const fileIn = (folder: string, id: ContentId): string => path.join(folder, id.slice(0, 2), id.slice(2, 4), id);

async function isStored(file: string, sizeBytes: number): Promise<boolean> {
  try {
    const stats = await lstat(file);
    // A file of another size was damaged: it is written anew.
    return stats.isFile() && stats.size === sizeBytes;
  } catch {
    return false;
  }
}

/** The folder itself and the two levels below must be folders, not links that lead the bytes elsewhere (P5). */
async function makeFolder(top: string, inner: string): Promise<void> {
  for (const level of [top, path.dirname(inner), inner]) {
    await mkdir(level, { recursive: true, mode: 0o700 });
    if (!(await lstat(level)).isDirectory()) throw Object.assign(new Error(`${level} is a link`), { code: 'ELOOP' });
  }
}

async function writeOnce(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

interface StoredFile {
  readonly file: string;
  readonly id: string;
  readonly stats: Stats;
}

/** Every stored file, half-written ones of ended processes included (their names are no ids, so they are never live). */
async function* storedFiles(folder: string): AsyncGenerator<StoredFile, void, void> {
  for (const first of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for (const second of await namesIn(path.join(folder, first))) {
      for (const id of await namesIn(path.join(folder, first, second))) {
        const file = path.join(folder, first, second, id);
        const stats = await lstat(file).catch(() => undefined);
        if (stats?.isFile()) yield { file, id, stats };
      }
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for await (const { stats } of storedFiles(folder)) total += stats.size;
  return total;
}
