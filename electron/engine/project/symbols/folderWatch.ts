import { type FSWatcher, readFileSync, statfsSync, watch as watchFolder } from 'node:fs';

/** Tells in which folders something changed, so that not all of them need to be looked at. */
export interface FolderWatch {
  /**
   * Before the folder is looked at: what changes after that is told. Again for another folder at the same place. False when
   * it is not watched.
   */
  add(path: string, real: string): boolean;
  remove(path: string): void;
  /** Folders in which something changed since the last call; undefined when it may have been anywhere. */
  take(): ReadonlySet<string> | undefined;
  /** Nothing is told any more: `take` always answers undefined. */
  giveUp(): void;
}

export interface FolderWatchLimits {
  readonly maxFolders: number;
  /** The system drops what it cannot keep until it is read, and does not say so; far more than this would have to be read before. */
  readonly maxEvents: number;
  /** Starts watching, throws what `fs.watch` throws. */
  readonly watch: (real: string, onEvent: () => void, onError: () => void) => Pick<FSWatcher, 'close'>;
}

/** Blocks only as long as the system needs to begin. */
export function createFolderWatch({ maxFolders, maxEvents, watch }: FolderWatchLimits): FolderWatch {
  const watched = new Map<string, Pick<FSWatcher, 'close'>>();
  let changed = new Set<string>();
  let events = 0;
  let hasGivenUp = false;

  const giveUp = (): void => {
    hasGivenUp = true;
    for (const watcher of watched.values()) watcher.close();
    watched.clear();
    changed = new Set();
  };

  return {
    add(path, real) {
      watched.get(path)?.close();
      watched.delete(path);
      if (!hasGivenUp && watched.size >= maxFolders) giveUp();
      if (hasGivenUp) return false;
      try {
        const onEvent = () => {
          events += 1;
          if (events <= maxEvents) changed.add(path);
        };
        watched.set(path, watch(real, onEvent, giveUp));
        return true;
      } catch (error) {
        // A folder that has gone is told by the one it was in; at the limits of the person (ENOSPC, EMFILE) looking is all there is.
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR') giveUp();
        return false;
      }
    },
    remove(path) {
      watched.get(path)?.close();
      watched.delete(path);
    },
    take() {
      const paths = hasGivenUp || events > maxEvents ? undefined : changed;
      changed = new Set();
      events = 0;
      return paths;
    },
    giveUp,
  };
}

/** Never more of a person's watches than this, however many the system allows. */
const maxWatchedFolders = 8_192;
/** File systems that tell of all changes, whoever makes them: ext, xfs, btrfs, f2fs, tmpfs, overlay, zfs (statfs(2)). */
const telling: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x794c7630, 0x2fc12fc1,
]);

/**
 * Watching the folders of a project; undefined where the system does not watch single folders cheaply, or changes may come
 * untold.
 */
export function watchFolders(root: string): FolderWatch | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    if (!telling.has(statfsSync(root).type)) return undefined;
  } catch {
    return undefined;
  }
  return createFolderWatch({
    maxFolders: Math.min(maxWatchedFolders, Math.floor(systemLimit('max_user_watches') / 4)),
    maxEvents: Math.min(1_000, Math.floor(systemLimit('max_queued_events') / 4)),
    watch(real, onEvent, onError) {
      const watcher = watchFolder(real, { persistent: false }, onEvent);
      watcher.on('error', onError);
      return watcher;
    },
  });
}

/** 0 when it is not told: then nothing is watched. */
function systemLimit(name: string): number {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
