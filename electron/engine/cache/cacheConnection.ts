import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { describeError, type Log } from '../base/log.ts';
import { type CacheDatabase, NewerFormat, openDatabase } from './database.ts';

/** The database of a cache while it is in use: opened at the first call, and begun anew when its file is damaged. */
export interface CacheConnection {
  /** Runs `act` on the open database. Fails with DISK_FULL, or UNAVAILABLE with the reason. */
  use<T>(act: (database: CacheDatabase) => T): Promise<Result<T>>;
  /** Where the last damaged file was put. */
  readonly setAside: string | undefined;
  dispose(): Promise<void>;
}

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
const codes = { corrupt: 11, full: 13, notDatabase: 26 } as const;

/** Opens nothing until it is used, and asks for the file then. `fileOf`: absolute; made with its folder. */
export function createConnection(fileOf: () => string, clock: Clock, log: Log): CacheConnection {
  let opened: Promise<CacheDatabase> | undefined;
  let isClosed = false;
  let aside: string | undefined;

  const attempt = async <T>(act: (database: CacheDatabase) => T): Promise<T> => {
    opened ??= openDatabase(fileOf());
    const mine = opened;
    let database: CacheDatabase | undefined;
    try {
      database = await mine;
      return act(database);
    } catch (error) {
      const code = codeOf(error);
      const isCorrupt = code === codes.corrupt || code === codes.notDatabase;
      // Several calls may fail over the same file; only the first of them makes room for a new one.
      if ((isCorrupt || !database) && opened === mine) opened = undefined;
      if (!isCorrupt) throw error;
      database?.close();
      const move = database?.setAside ?? (error as { setAside?: CacheDatabase['setAside'] }).setAside;
      const moved = move?.(clock.now());
      if (moved !== undefined) {
        aside = moved;
        log.warn(`the cache could not be read; it was put aside as ${moved}, and a new one begun`, error);
      }
      throw new Corrupt(describeError(error));
    }
  };

  return {
    async use(act) {
      if (isClosed) return fail('UNAVAILABLE', 'The cache is closed.');
      try {
        return ok(
          await attempt(act).catch((error: unknown) => {
            if (error instanceof Corrupt) return attempt(act);
            throw error;
          }),
        );
      } catch (error) {
        if (codeOf(error) === codes.full) return fail('DISK_FULL', 'The cache cannot be written: the disk is full.');
        const why = error instanceof NewerFormat ? error.message : `it cannot be used now: ${describeError(error)}`;
        return fail('UNAVAILABLE', `The cache of this project is not available: ${why}`);
      }
    },
    get setAside() {
      return aside;
    },
    async dispose() {
      isClosed = true;
      const last = opened;
      opened = undefined;
      await last?.then((database) => database.close()).catch(() => undefined);
    },
  };
}

class Corrupt extends Error {}

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined; // extended codes carry the primary one in the low byte
}
