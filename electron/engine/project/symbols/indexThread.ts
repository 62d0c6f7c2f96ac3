import { lstatSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { watchFolders } from './folderWatch.ts';
import { answerFrom, type IndexAnswer, type IndexedSymbols } from './indexAnswer.ts';
import { type IndexHelper, startIndexHelper } from './indexHelper.ts';
import { indexSource } from './indexSource.ts';
import { type IndexedFile, type IndexStore, type KnownFile, openIndexStore } from './indexStore.ts';
import { type FileStamp, isSameStamp, isUnsettled } from './readSource.ts';
import { createSourceTree } from './sourceTree.ts';
import { restoreSymbols } from './storedSymbols.ts';

/** Where the thread works. */
export interface IndexPlace {
  /** The project, a real path. */
  readonly root: string;
  /** The database; it is made when it is missing. */
  readonly file: string;
}

export interface IndexThreadData extends IndexPlace {
  /** Who works on it, of all processes: the next thread of the same index goes on where this one was ended. */
  readonly owner: string;
  /** How many questions are being answered, shared with who asks; work ends early while there are any. */
  readonly holds: Int32Array<SharedArrayBuffer>;
}

export type IndexJob =
  /** Definitions of a name below a folder (`.` for the root). */
  | { readonly id: number; readonly kind: 'find'; readonly name: string; readonly below: string }
  /** What one file defines. */
  | { readonly id: number; readonly kind: 'file'; readonly name: string }
  /** Reads files for about so many milliseconds, or until there is a question; at least one. */
  | { readonly id: number; readonly kind: 'work'; readonly budgetMs: number };

export type IndexReply =
  | { readonly id: number; readonly kind: 'found'; readonly answer: IndexAnswer }
  | { readonly id: number; readonly kind: 'file'; readonly known: IndexedSymbols | undefined }
  /** More has changed than can be read while somebody waits. `isOutside`: only this question is one for a search. */
  | { readonly id: number; readonly kind: 'stale'; readonly isOutside: boolean }
  /** `parsed`: files since the thread began. `isElsewhere`: another process is at it. */
  | {
      readonly id: number;
      readonly kind: 'worked';
      readonly left: number;
      readonly parsed: number;
      readonly isElsewhere: boolean;
    }
  /** No index can be had: too many files, or no place to keep it. */
  | { readonly id: number; readonly kind: 'unavailable'; readonly why: string };

/** More files are not indexed: looking whether they changed would take longer than searching them. */
const maxFiles = 50_000;
/** Changed files that are read while somebody waits. */
const maxChangedAtOnce = 40;
/** Files that are written to the database together. */
const filesAtOnce = 300;
/** With fewer to read, a second thread would cost more than it does. */
const minFilesToShare = 300;
/** Files that it is given ahead: as many as it reads while this one writes to the database. */
const filesAhead = 200;
/** How long a question relies on what was told. */
const lookOverMs = 30_000;
/** What parsing has taken is not given back, so only one of both threads takes the memory of a large file. */
const maxSharedBytes = 64_000;

/** Serves the thread of an index: a job in, its reply out, in order. `entry`: where a second thread begins. */
export async function serveIndexJobs(port: MessagePort, place: IndexThreadData, entry: string): Promise<void> {
  const sqlite = await import('node:sqlite');
  const tree = createSourceTree(place.root, maxFiles);
  let store: IndexStore | undefined;
  let queue: string[] | undefined;
  let removed: readonly string[] = [];
  let finished: IndexedFile[] = [];
  let parsed = 0;
  let helper: IndexHelper | undefined;
  let mayShare = availableParallelism() > 1;
  let mayWatch = true;
  /** What `changed` was found by comparing with. */
  let compared: ReadonlyMap<string, KnownFile> | undefined;
  let changed: string[] = [];

  const opened = (): IndexStore => (store ??= openIndexStore(place.file, sqlite, place.owner));

  const read = async (name: string, seen: FileStamp): Promise<IndexedFile> => {
    parsed += 1;
    return indexSource(place.root, name, seen);
  };

  /** Files whose symbols are not known as they are now. */
  const changes = (known: ReadonlyMap<string, KnownFile>): readonly string[] => {
    const touched = tree.takeTouched();
    const asked = known === compared ? new Set([...changed, ...touched]) : tree.files.keys();
    compared = known;
    changed = [];
    for (const name of asked) {
      const stamp = tree.files.get(name);
      if (stamp && !isCurrent(known.get(name), stamp)) changed.push(name);
    }
    return changed;
  };

  const find = async (job: IndexJob & { readonly kind: 'find' }): Promise<readonly IndexedFile[]> => {
    const { id, name, below } = job;
    const { files } = tree;
    if (!tree.refresh()) {
      port.postMessage(tooMany(id));
      return [];
    }
    const giveUp = (isOutside: boolean) => {
      port.postMessage({ id, kind: 'stale', isOutside } satisfies IndexReply);
      return [];
    };
    if (!tree.hasFolder(below)) return giveUp(true);
    const known = opened().known();
    const stale = changes(known);
    if (stale.length > maxChangedAtOnce) return giveUp(false);
    const fresh = new Map<string, IndexedFile>();
    for (const file of stale) fresh.set(file, await read(file, files.get(file) ?? noStamp));
    const answer = await answerFrom({ root: place.root, files, store: opened(), known, fresh, read }, name, below);
    if (!answer) return giveUp(true);
    port.postMessage({ id, kind: 'found', answer } satisfies IndexReply);
    return [...fresh.values()];
  };

  const knownFile = (name: string): IndexedSymbols | undefined => {
    const hit = opened().file(name);
    if (!hit || hit.problem) return undefined;
    const now = lstatSync(path.join(place.root, name), { throwIfNoEntry: false });
    return now && isCurrent(hit, now) ? { language: hit.language, symbols: restoreSymbols(hit.text) } : undefined;
  };

  const work = async ({ id, budgetMs }: IndexJob & { readonly kind: 'work' }): Promise<void> => {
    const end = performance.now() + budgetMs;
    const reply = (left: number, isElsewhere = false) =>
      port.postMessage({ id, kind: 'worked', left, parsed, isElsewhere } satisfies IndexReply);
    if (!opened().claim()) {
      stopHelper();
      queue = undefined;
      finished = [];
      reply(0, true);
      return;
    }
    if (!queue) {
      if (!tree.refresh()) {
        port.postMessage(tooMany(id));
        return;
      }
      const known = opened().known();
      queue = changes(known).toReversed();
      removed = [...known.keys()].filter((file) => !tree.files.has(file));
    }
    if (mayShare && queue.length >= minFilesToShare) helper ??= startIndexHelper(entry, place);
    do {
      share(queue);
      if (finished.length >= filesAtOnce) write();
      const next = queue.pop();
      const seen = next === undefined ? undefined : tree.files.get(next);
      if (next !== undefined && seen) finished.push(await read(next, seen));
      else if (next === undefined && helper?.left) helper.wait(end - performance.now());
      else if (next === undefined) break;
    } while (performance.now() < end && !isHeld());
    if (isHeld()) stopHelper();
    const left = queue.length + (helper?.left ?? 0);
    if (left === 0) {
      write();
      stopHelper();
      queue = undefined;
      opened().release();
    }
    reply(left);
  };

  const write = (): void => {
    opened().put(finished, removed);
    finished = [];
    removed = [];
  };

  const isHeld = () => Atomics.load(place.holds, 0) > 0;

  /** Takes what the second thread has read, and gives it more: half of the rest at the end, so that both end together. */
  const share = (rest: string[]): void => {
    if (!helper) return;
    const { read: byHelper, given } = helper.collect();
    parsed += byHelper.length;
    finished.push(...byHelper);
    rest.push(...given);
    if (helper.hasEnded) {
      // What it died of may be among the next files again.
      mayShare = false;
      helper = undefined;
      return;
    }
    const ahead = Math.min(filesAhead, Math.floor(rest.length / 2));
    if (helper.left > ahead / 2) return;
    for (let at = rest.length - 1; at >= 0 && helper.left < ahead; at -= 1) {
      const name = rest[at] ?? '';
      const seen = tree.files.get(name);
      if (!seen || seen.size > maxSharedBytes) continue;
      rest.splice(at, 1);
      helper.give({ name, seen });
    }
  };

  /** Its memory is for who asks now; what it has not read is read later. */
  const stopHelper = (): void => {
    const names = helper?.stop() ?? [];
    helper = undefined;
    queue?.push(...names);
  };

  /** A damaged file is thrown away, once a job: what was in it is read again. */
  const serve = async (job: IndexJob, isLastTry = false): Promise<void> => {
    try {
      if (job.kind === 'work') await work(job);
      else if (job.kind === 'file')
        port.postMessage({ id: job.id, kind: 'file', known: knownFile(job.name) } satisfies IndexReply);
      else {
        const fresh = await find(job);
        if (fresh.length > 0) keep(fresh);
        lookOn();
      }
    } catch (error) {
      stopHelper();
      queue = undefined;
      finished = [];
      if (isBusy(error)) {
        port.postMessage({ id: job.id, kind: 'stale', isOutside: false } satisfies IndexReply);
        return;
      }
      store?.discard();
      store = undefined;
      if (!isLastTry) return serve(job, true);
      const why = error instanceof Error ? error.message : String(error);
      port.postMessage({ id: job.id, kind: 'unavailable', why } satisfies IndexReply);
    }
  };

  /** After the answer: nobody waits for it. When it cannot be kept, the next question reads these files again. */
  const keep = (fresh: readonly IndexedFile[]): void => {
    try {
      opened().put(fresh);
    } catch (error) {
      if (isBusy(error)) return;
      store?.discard();
      store = undefined;
    }
  };

  /** After the answer: the next question need not look at everything, until something may have changed untold (mapped files). */
  const lookOn = (): void => {
    if (mayWatch) {
      mayWatch = false;
      const folders = watchFolders(place.root);
      if (folders) tree.watch(folders);
    } else if (performance.now() - tree.lookedOverAt > lookOverMs) tree.lookOver();
  };

  let turn = Promise.resolve();
  port.on('message', (job: IndexJob) => {
    turn = turn.then(async () => {
      await toldAll();
      await serve(job);
    });
  });
}

/** What the system had to tell before is told after this: it is asked between the two. */
async function toldAll(): Promise<void> {
  for (let times = 0; times < 2; times += 1) await new Promise((resolve) => setImmediate(resolve));
}

const noStamp: FileStamp = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 };

function tooMany(id: number): IndexReply {
  return { id, kind: 'unavailable', why: `The project has more than ${maxFiles} source files` };
}

function isCurrent(known: Pick<KnownFile, 'stamp' | 'readAt'> | undefined, now: FileStamp): boolean {
  return known !== undefined && isSameStamp(known.stamp, now) && !isUnsettled(now, known.readAt);
}

/** SQLITE_BUSY, SQLITE_LOCKED: another process has it for longer than we wait. */
function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && [5, 6].includes(code & 0xff);
}
