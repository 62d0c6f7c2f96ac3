import { createHash } from 'node:crypto';
import { copyFileSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import { isRunning } from '../base/processMark.ts';
import type { Shadow, ShadowWay } from '../exec/sandbox/shadow.ts';
import { bytesAfter } from '../workspace/hands.ts';
import type { Look } from '../workspace/look.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { bringIgnored } from './bringIgnored.ts';

/** A project with more than this is not copied: it would take longer than its checks. */
const maxFiles = 50_000;
const maxBytes = 1024 * 1024 * 1024;

/** After so many files the engine looks after its other work. */
const filesAtOnce = 100;

export interface MadeShadow extends Shadow {
  /** The same for the same project, whatever was proposed: paths, sizes and times of all files. */
  readonly print: string;
  /** Never fails; what is left is removed by the next copy. */
  remove(): Promise<void>;
}

/**
 * A copy of the project as it would be with these changes: files as git sees them, ignored ones as far as they are small,
 * dependencies by links. Made anew each time: nothing that an earlier run has left can lead a write elsewhere, or change what
 * is found. Errors: LIMIT_EXCEEDED (too many files), CANCELLED, FILE_WRITE_ERROR, those of the changes' own encoding.
 */
export async function makeShadow({
  look,
  changes,
  folder,
  way,
  signal,
}: {
  readonly look: Look;
  /** In their order; of several changes of one file the last counts. */
  readonly changes: readonly ProposedChange[];
  /** Where copies of all projects lie. */
  readonly folder: string;
  readonly way: ShadowWay;
  readonly signal: AbortSignal;
}): Promise<Result<MadeShadow>> {
  let tree: string | undefined;
  const remove = async (): Promise<void> => {
    if (tree !== undefined) await removeTree(tree);
  };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeft(folder);
    tree = await realpath(await mkdtemp(path.join(folder, `${process.pid}-`)));
    const filled = await fill(tree, look, changes, way, signal);
    if (filled.ok) return ok({ tree, way, ...filled.value, remove });
    await remove();
    return filled;
  } catch (error) {
    await remove();
    return fail('FILE_WRITE_ERROR', `The copy to try the edits on could not be made: ${describeError(error)}`);
  }
}

async function fill(
  tree: string,
  look: Look,
  changes: readonly ProposedChange[],
  way: ShadowWay,
  signal: AbortSignal,
): Promise<Result<Pick<MadeShadow, 'linked' | 'print'>>> {
  const { root } = look;
  // First, into a tree in which nothing is a link yet.
  const laid = layChanges(tree, root, changes);
  if (!laid.ok) return laid;
  const walked = await look.resolve('.');
  if (!walked.ok) return walked;
  const print = createHash('sha256');
  const ignored: string[] = [];
  const entries = await look.walk('.', { signal, onIgnored: (one) => ignored.push(one) });
  if (!entries.ok) return entries;
  let files = 0;
  let bytes = 0;
  for await (const { path: name, type } of entries.value) {
    const from = path.join(root, name);
    const stats = lstatSync(from, { throwIfNoEntry: false });
    if (!stats) continue;
    if (type !== 'directory') print.update(`${name}\0${stats.size}\0${stats.mtimeMs}\0`);
    if (type === 'directory') mkdirSync(path.join(tree, name), { recursive: true });
    if (type === 'file' && stats.isFile()) {
      files += 1;
      bytes += stats.size;
      if (files > maxFiles || bytes > maxBytes)
        return fail(
          'LIMIT_EXCEEDED',
          'The project is too large to try edits on a copy: more than 50,000 files or 1 GB.',
        );
      if (files % filesAtOnce === 0) await new Promise(setImmediate);
    }
    if (!laid.value.has(name)) copyEntry(from, path.join(tree, name), type);
  }
  for (const name of ignored)
    print.update(`${name}\0${lstatSync(path.join(root, name), { throwIfNoEntry: false })?.mtimeMs}\0`);
  if (signal.aborted) return fail('CANCELLED', 'The rehearsal was stopped.');
  return ok({ linked: bringIgnored({ root, tree, way, ignored, laid: laid.value }), print: print.digest('hex') });
}

function copyEntry(from: string, to: string, type: string): void {
  // A file that goes while it is copied is missing in the copy as well.
  try {
    if (type === 'file') copyFileSync(from, to);
    if (type === 'symlink') symlinkSync(readlinkSync(from), to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOENT', 'EEXIST', 'EACCES'].includes(String(error.code))))
      throw error;
  }
}

/** Writes the proposed files; the answer holds every path that the project's own content must not come to. */
function layChanges(tree: string, root: string, changes: readonly ProposedChange[]): Result<ReadonlySet<string>> {
  const last = new Map<string, ProposedChange | null>();
  for (const change of changes) {
    if (change.oldPath !== undefined) last.set(placeOf(root, change.oldPath, change.oldReal), null);
    last.set(placeOf(root, change.path, change.real), change.after === null ? null : change);
  }
  for (const [place, change] of last) {
    if (change === null) continue;
    const bytes = bytesAfter(change);
    if (!bytes.ok) return bytes;
    const file = path.join(tree, place);
    mkdirSync(path.dirname(file), { recursive: true });
    const mode = change.before?.mode ?? 0o644;
    writeFileSync(file, bytes.value ?? '', { mode: change.executable ? mode | 0o111 : mode });
  }
  return ok(new Set(last.keys()));
}

/** Below the project, where the change really lies; its place was shown to lie inside. */
function placeOf(root: string, shown: string, real: string | undefined): string {
  const place = path.relative(root, real ?? path.join(root, shown)).replaceAll(path.sep, '/');
  return place.startsWith('../') ? shown : place;
}

/** Copies that an engine has left which is no more. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || !isRunning(pid)) await removeTree(path.join(folder, name));
  }
}

const removeTree = (tree: string): Promise<void> =>
  rm(tree, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
