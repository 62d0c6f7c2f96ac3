import { renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { makeFolder } from '../base/makeFolder.ts';

/** Counted up when the tables change; a file with a higher number is from a newer version and is left alone. */
const formatVersion = 1;

/** How long another process may hold the write lock, ms. */
const busyMs = 5_000;

/** Values lie in a table of their own: noting that an entry was used must not move its value. */
const tables = `
  CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tier TEXT NOT NULL,
    size INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS entries_by_use ON entries (tier, used);
  CREATE INDEX IF NOT EXISTS entries_by_end ON entries (expires);
  CREATE TABLE IF NOT EXISTS contents (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
  CREATE TRIGGER IF NOT EXISTS content_goes AFTER DELETE ON entries BEGIN
    DELETE FROM contents WHERE id = old.id;
  END;
  CREATE TABLE IF NOT EXISTS totals (tier TEXT PRIMARY KEY, entries INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;
  INSERT OR IGNORE INTO totals VALUES ('reasoning', 0, 0), ('project', 0, 0), ('vault', 0, 0);
  CREATE TRIGGER IF NOT EXISTS count_in AFTER INSERT ON entries BEGIN
    UPDATE totals SET entries = entries + 1, size = size + new.size WHERE tier = new.tier;
  END;
  CREATE TRIGGER IF NOT EXISTS count_out AFTER DELETE ON entries BEGIN
    UPDATE totals SET entries = entries - 1, size = size - old.size WHERE tier = old.tier;
  END;
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT OR IGNORE INTO counters VALUES ('hits', 0), ('misses', 0);
  PRAGMA user_version = ${formatVersion};
`;

export interface CacheDatabase {
  /** The prepared statement for this text, made once. */
  statement(sql: string): StatementSync;
  /** All or nothing, with the write lock from the start. */
  transaction<T>(act: () => T): T;
  close(): void;
  /** Puts the file and what belongs to it out of the way; nothing when another process has done so. */
  setAside(now: number): string | undefined;
}

/** The file is from a newer version of Vise. */
export class NewerFormat extends Error {}

/** Throws NewerFormat or SQLite's error. The module is loaded here, since most starts never need it. */
export async function openDatabase(file: string): Promise<CacheDatabase> {
  const sqlite = await import('node:sqlite');
  makeFolder(dirname(file));
  const database = new sqlite.DatabaseSync(file, { timeout: busyMs });
  const mark = inodeOf(file);
  try {
    prepareTables(database);
  } catch (error) {
    database.close();
    throw Object.assign(error as Error, { setAside: (now: number) => moveAway(file, mark, now) });
  }
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  return {
    statement,
    transaction(act) {
      statement('BEGIN IMMEDIATE').run();
      try {
        const value = act();
        statement('COMMIT').run();
        return value;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
    setAside: (now) => moveAway(file, mark, now),
  };
}

function prepareTables(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > formatVersion)
    throw new NewerFormat(`the cache has format ${version}, this version knows ${formatVersion}`);
  // WAL: readers do not wait. NORMAL: a crash of the program loses nothing, a power cut at most the last entries.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216');
  if (version < formatVersion) database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT`);
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function moveAway(file: string, mark: number | undefined, now: number): string | undefined {
  if (mark === undefined || inodeOf(file) !== mark) return undefined;
  const aside = `${file}.corrupt-${now}`;
  renameSync(file, aside);
  for (const ending of ['-wal', '-shm']) {
    if (inodeOf(file + ending) !== undefined) renameSync(file + ending, aside + ending);
  }
  return aside;
}
