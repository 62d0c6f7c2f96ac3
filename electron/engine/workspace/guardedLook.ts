import path from 'node:path';
import { fail, type Result } from '../../../shared/result.ts';
import type { Look } from './look.ts';
import type { WalkEntry } from './walk.ts';

/** What of a project is read for one call, and how much of it was left out. */
export interface GuardedLook {
  readonly look: Look;
  /** Paths that would have been told, and that a rule forbids to read. */
  leftOut(): number;
}

/** Beyond this, "how many" says no more. */
const maxCounted = 100_000;

/** A look that neither reads nor lists what is denied (C11). The count follows from names alone: content must not be guessed by it. */
export function guardedLook(look: Look, isDenied: (path: string) => boolean): GuardedLook {
  const left = new Set<string>();
  const isForbidden = (name: string): boolean => isDenied(name);
  const leaveOut = (name: string): boolean => {
    if (!isForbidden(name)) return false;
    if (left.size < maxCounted) left.add(name);
    return true;
  };
  const readable = async (given: string): Promise<Result<never> | undefined> => {
    const found = await look.resolve(given);
    if (!found.ok) return undefined; // the read itself says why
    const { relative, realRelative } = found.value;
    if (!isForbidden(relative) && !isForbidden(realRelative)) return undefined;
    return fail('PERMISSION_DENIED', `A rule forbids to read ${relative}`);
  };
  const guarded: Look = {
    ...look,
    isForbidden,
    leaveOut,
    hasForbidden: true,
    readBytes: async (given, limit) => (await readable(given)) ?? look.readBytes(given, limit),
    readText: async (given) => (await readable(given)) ?? look.readText(given),
    readLines: async (given, range) => (await readable(given)) ?? look.readLines(given, range),
    async list(given, options) {
      const listed = await look.list(given, options);
      if (!listed.ok) return listed;
      const { entries, truncated } = listed.value;
      return { ok: true, value: { entries: entries.filter((entry) => !leaveOut(entry.path)), truncated } };
    },
    async walk(given, options) {
      const walked = await look.walk(given, options);
      return walked.ok ? { ok: true, value: without(walked.value, leaveOut) } : walked;
    },
    async glob(pattern, options) {
      const found = await look.glob(pattern, options);
      if (!found.ok) return found;
      const { files, truncated } = found.value;
      return { ok: true, value: { files: files.filter((file) => !leaveOut(file)), truncated } };
    },
  };
  return { look: guarded, leftOut: () => left.size };
}

async function* without(entries: AsyncIterable<WalkEntry>, leaveOut: (name: string) => boolean) {
  let folder: string | undefined;
  for await (const entry of entries) {
    // What lies in a folder that is left out is left out with it, and counted once.
    if (folder !== undefined && entry.path.startsWith(folder)) continue;
    folder = undefined;
    if (!leaveOut(entry.path)) yield entry;
    else if (entry.type === 'directory') folder = `${entry.path}${path.posix.sep}`;
  }
}
