import { availableParallelism } from 'node:os';
import { type IndexHelper, startIndexHelper } from './indexHelper.ts';
import type { IndexThreadData } from './indexJob.ts';
import type { IndexedFile } from './indexStore.ts';
import type { OpenIndex } from './openIndex.ts';

/** Fills an index piece by piece, with a second thread where there is much to read. */
export interface IndexBuild {
  /**
   * Reads files for about so many milliseconds, or until there is a question; at least one. Throws what SQLite throws.
   * `left`: files that are still to be read. `elsewhere`: another process is at it.
   */
  work(budgetMs: number): Promise<{ readonly left: number } | 'elsewhere' | 'tooMany'>;
  /** Forgets what is not yet written; the next work begins anew. */
  reset(): void;
}

/** Files that are written to the database together. */
const filesAtOnce = 300;
/** With fewer to read, a second thread would cost more than it does. */
const minFilesToShare = 300;
/** Files that it is given ahead: as many as it reads while this one writes to the database. */
const filesAhead = 200;
/** What parsing has taken is not given back, so only one of both threads takes the memory of a large file. */
const maxSharedBytes = 64_000;

/** `entry`: where the second thread begins. */
export function createIndexBuild(index: OpenIndex, place: IndexThreadData, entry: string): IndexBuild {
  const { tree } = index;
  let queue: string[] | undefined;
  let removed: readonly string[] = [];
  let finished: IndexedFile[] = [];
  let helper: IndexHelper | undefined;
  let mayShare = availableParallelism() > 1;

  const isHeld = () => Atomics.load(place.holds, 0) > 0;

  const write = (): void => {
    index.store().put(finished, removed);
    finished = [];
    removed = [];
  };

  /** Its memory is for who asks now; what it has not read is read later. */
  const stopHelper = (): void => {
    const names = helper?.stop() ?? [];
    helper = undefined;
    queue?.push(...names);
  };

  const reset = (): void => {
    stopHelper();
    queue = undefined;
    finished = [];
  };

  /** What is to be read, the next file last; undefined when there are too many. */
  const fillQueue = (): string[] | undefined => {
    if (!tree.refresh()) return undefined;
    const known = index.store().known();
    const names = index.changes(known).toReversed();
    removed = [...known.keys()].filter((file) => !tree.files.has(file));
    return names;
  };

  /** Takes what the second thread has read, and gives it more: half of the rest at the end, so that both end together. */
  const share = (rest: string[]): void => {
    if (!helper) return;
    const { read: byHelper, given } = helper.collect();
    index.parsed += byHelper.length;
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

  return {
    async work(budgetMs) {
      const end = performance.now() + budgetMs;
      if (!index.store().claim()) {
        reset();
        return 'elsewhere';
      }
      queue ??= fillQueue();
      if (!queue) return 'tooMany';
      if (mayShare && queue.length >= minFilesToShare) helper ??= startIndexHelper(entry, place);
      do {
        share(queue);
        if (finished.length >= filesAtOnce) write();
        const next = queue.pop();
        const seen = next === undefined ? undefined : tree.files.get(next);
        if (next !== undefined && seen) finished.push(await index.read(next, seen));
        else if (next === undefined && helper?.left) helper.wait(end - performance.now());
        else if (next === undefined) break;
      } while (performance.now() < end && !isHeld());
      if (isHeld()) stopHelper();
      const left = queue.length + (helper?.left ?? 0);
      if (left === 0) {
        write();
        stopHelper();
        queue = undefined;
        index.store().release();
      }
      return { left };
    },
    reset,
  };
}
