import { constants, copyFileSync, readFileSync, statSync } from 'node:fs';
import { writeFileAtomic } from './atomicFile.ts';
import { withLockSync } from './fileLock.ts';
import { describeError, errnoOf } from './log.ts';

export type JsonRead =
  | { readonly state: 'read'; readonly value: unknown }
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly why: string };

/** Reads one JSON file of Vise's own. A broken file is told, never taken for an empty one. */
export function readJsonFile(path: string, maxBytes = 10 * 1024 * 1024): JsonRead {
  let text: string;
  try {
    // Most of them are mostly missing, and are asked for with each call: a look costs a tenth of an error.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return { state: 'missing' };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return errnoOf(error) === 'ENOENT'
      ? { state: 'missing' }
      : { state: 'broken', why: `${path} cannot be read: ${describeError(error)}` };
  }
  if (text.length > maxBytes) return { state: 'broken', why: `${path} is larger than ${maxBytes} bytes` };
  try {
    return { state: 'read', value: JSON.parse(text) as unknown };
  } catch (error) {
    return { state: 'broken', why: `${path} is not valid JSON: ${describeError(error)}` };
  }
}

export function writeJsonFile(path: string, value: unknown): void {
  writeFileAtomic(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Changes an object that several processes keep in one file: read, changed and written under one lock, so that no change is
 * lost. What cannot be read is kept as a copy beside it, whose path is answered, and never written over. Throws the
 * system's error; where `change` throws, nothing is written.
 */
export function updateJsonFile(
  path: string,
  change: (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): { readonly value: Readonly<Record<string, unknown>>; readonly keptAs: string | undefined } {
  return withLockSync(`${path}.lock`, () => {
    const read = readJsonFile(path);
    const isBroken = read.state === 'broken' || (read.state === 'read' && !isRecord(read.value));
    const value = change(read.state === 'read' && isRecord(read.value) ? read.value : {});
    const keptAs = isBroken ? `${path}.broken-${Date.now()}` : undefined;
    if (keptAs !== undefined) copyFileSync(path, keptAs, constants.COPYFILE_EXCL);
    writeJsonFile(path, value);
    return { value, keptAs };
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
