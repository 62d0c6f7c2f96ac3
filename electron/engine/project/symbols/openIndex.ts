import type { IndexThreadData } from './indexJob.ts';
import { indexSource } from './indexSource.ts';
import { type IndexedFile, type IndexStore, type KnownFile, openIndexStore } from './indexStore.ts';
import { type FileStamp, isSameStamp, isUnsettled } from './readSource.ts';
import { createSourceTree, type SourceTree } from './sourceTree.ts';

/** What the thread of an index holds: the project's files as they are, and what is kept of them. */
export interface OpenIndex {
  readonly tree: SourceTree;
  /** Opened at the first call. Throws what SQLite throws. */
  store(): IndexStore;
  /** Throws the file away; `store` makes another one. */
  discard(): void;
  /** Files whose symbols are not known as they are now. */
  changes(known: ReadonlyMap<string, KnownFile>): readonly string[];
  read(name: string, seen: FileStamp): Promise<IndexedFile>;
  /** Files that were parsed since the thread began, here or by its helper. */
  parsed: number;
}

/** More files are not indexed: looking whether they changed would take longer than searching them. */
export const maxFiles = 50_000;

export function createOpenIndex(place: IndexThreadData, sqlite: typeof import('node:sqlite')): OpenIndex {
  const tree = createSourceTree(place.root, maxFiles);
  let store: IndexStore | undefined;
  /** What `changed` was found by comparing with. */
  let compared: ReadonlyMap<string, KnownFile> | undefined;
  let changed: string[] = [];

  return {
    tree,
    store: () => (store ??= openIndexStore(place.file, sqlite, place.owner)),
    discard() {
      store?.discard();
      store = undefined;
    },
    changes(known) {
      const touched = tree.takeTouched();
      const asked = known === compared ? new Set([...changed, ...touched]) : tree.files.keys();
      compared = known;
      changed = [];
      for (const name of asked) {
        const stamp = tree.files.get(name);
        if (stamp && !isCurrent(known.get(name), stamp)) changed.push(name);
      }
      return changed;
    },
    async read(name, seen) {
      this.parsed += 1;
      return indexSource(place.root, name, seen);
    },
    parsed: 0,
  };
}

/** Whether what is known of a file was read from it as it is now. */
export function isCurrent(known: Pick<KnownFile, 'stamp' | 'readAt'> | undefined, now: FileStamp): boolean {
  return known !== undefined && isSameStamp(known.stamp, now) && !isUnsettled(now, known.readAt);
}
