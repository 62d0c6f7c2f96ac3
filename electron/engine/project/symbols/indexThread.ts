import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { watchFolders } from './folderWatch.ts';
import { answerFrom, type IndexedSymbols } from './indexAnswer.ts';
import { createIndexBuild } from './indexBuild.ts';
import type { IndexJob, IndexReply, IndexThreadData } from './indexJob.ts';
import type { IndexedFile } from './indexStore.ts';
import { createOpenIndex, isCurrent, maxFiles } from './openIndex.ts';
import type { FileStamp } from './readSource.ts';
import { restoreSymbols } from './storedSymbols.ts';

/** Changed files that are read while somebody waits. */
const maxChangedAtOnce = 40;
/** How long a question relies on what was told. */
const lookOverMs = 30_000;

/** Serves the thread of an index: a job in, its reply out, in order. `entry`: where a second thread begins. */
export async function serveIndexJobs(port: MessagePort, place: IndexThreadData, entry: string): Promise<void> {
  const sqlite = await import('node:sqlite');
  const index = createOpenIndex(place, sqlite);
  const build = createIndexBuild(index, place, entry);
  const { tree } = index;
  let mayWatch = true;

  const reply = (answer: IndexReply): void => port.postMessage(answer);

  /** Answers, and gives the files that it read for that. */
  const find = async ({ id, name, below }: IndexJob & { readonly kind: 'find' }): Promise<readonly IndexedFile[]> => {
    const { files } = tree;
    if (!tree.refresh()) {
      reply(tooMany(id));
      return [];
    }
    const giveUp = (isOutside: boolean) => {
      reply({ id, kind: 'stale', isOutside });
      return [];
    };
    if (!tree.hasFolder(below)) return giveUp(true);
    const store = index.store();
    const known = store.known();
    const stale = index.changes(known);
    if (stale.length > maxChangedAtOnce) return giveUp(false);
    const fresh = new Map<string, IndexedFile>();
    const read = (file: string, seen: FileStamp) => index.read(file, seen);
    for (const file of stale) fresh.set(file, await read(file, files.get(file) ?? noStamp));
    const answer = await answerFrom({ root: place.root, files, store, known, fresh, read }, name, below);
    if (!answer) return giveUp(true);
    reply({ id, kind: 'found', answer });
    return [...fresh.values()];
  };

  const knownFile = (name: string): IndexedSymbols | undefined => {
    const hit = index.store().file(name);
    if (!hit || hit.problem) return undefined;
    const now = lstatSync(path.join(place.root, name), { throwIfNoEntry: false });
    return now && isCurrent(hit, now) ? { language: hit.language, symbols: restoreSymbols(hit.text) } : undefined;
  };

  const work = async ({ id, budgetMs }: IndexJob & { readonly kind: 'work' }): Promise<void> => {
    const worked = await build.work(budgetMs);
    if (worked === 'tooMany') return reply(tooMany(id));
    const isElsewhere = worked === 'elsewhere';
    reply({ id, kind: 'worked', left: isElsewhere ? 0 : worked.left, parsed: index.parsed, isElsewhere });
  };

  /** A damaged file is thrown away, once a job: what was in it is read again. */
  const serve = async (job: IndexJob, isLastTry = false): Promise<void> => {
    try {
      if (job.kind === 'work') await work(job);
      else if (job.kind === 'file') reply({ id: job.id, kind: 'file', known: knownFile(job.name) });
      else {
        const fresh = await find(job);
        if (fresh.length > 0) keep(fresh);
        lookOn();
      }
    } catch (error) {
      build.reset();
      if (isBusy(error)) return reply({ id: job.id, kind: 'stale', isOutside: false });
      index.discard();
      if (!isLastTry) return serve(job, true);
      const why = error instanceof Error ? error.message : String(error);
      reply({ id: job.id, kind: 'unavailable', why });
    }
  };

  /** After the answer: nobody waits for it. When it cannot be kept, the next question reads these files again. */
  const keep = (fresh: readonly IndexedFile[]): void => {
    try {
      index.store().put(fresh);
    } catch (error) {
      if (!isBusy(error)) index.discard();
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

/** SQLITE_BUSY, SQLITE_LOCKED: another process has it for longer than we wait. */
function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && [5, 6].includes(code & 0xff);
}
