import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PlacedSymbol } from './extractSymbols.ts';
import { maxNameCharacters } from './namePattern.ts';
import { queryByGrammar, topLevelQueryByGrammar } from './queries/byLanguage.ts';
import type { FileStamp } from './readSource.ts';

/** What is kept of one source file. */
export interface IndexedFile {
  /** Below the root, with forward slashes. */
  readonly path: string;
  readonly stamp: FileStamp;
  /** When it was read, before its text was; milliseconds since the epoch. */
  readonly readAt: number;
  readonly language: string;
  /** Why it has no symbols. */
  readonly problem?: IndexProblem;
  /** Which words it may hold (see wordFilter.ts): of files that were left out. */
  readonly words?: Uint8Array;
  readonly symbols: readonly PlacedSymbol[];
}

export type IndexProblem = 'unreadable' | 'timeout' | 'generated';

export type KnownFile = Pick<IndexedFile, 'stamp' | 'readAt' | 'problem' | 'words'>;

export type IndexHit = Pick<IndexedFile, 'path' | 'stamp' | 'language' | 'symbols'>;

/**
 * Symbols of a project in a file (SQLite), shared by processes: what another one has read need not be read again. Nothing
 * in it cannot be had again, so a file that is damaged is thrown away. All calls block and throw what SQLite throws.
 */
export interface IndexStore {
  /** By path; read again when another process has written. */
  known(): ReadonlyMap<string, KnownFile>;
  /** Files in which the name was defined when they were read. */
  definitions(name: string): readonly IndexHit[];
  put(files: readonly IndexedFile[], removed?: readonly string[]): void;
  /** Whether this process may fill it now: one at a time, for some seconds after each `claim`. */
  claim(): boolean;
  release(): void;
  close(): void;
  /** Closes and removes the file; not one that another process has put there since. */
  discard(): void;
}

/** Counted up when the tables or the meaning of symbols change. */
const format = 1;
const busyMs = 2_000;
const claimMs = 15_000;
/** Of other projects; they are made again when somebody asks. */
const maxDatabases = 30;

const tables = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    read_at INTEGER NOT NULL,
    language TEXT NOT NULL,
    problem TEXT,
    words BLOB,
    names TEXT NOT NULL
  );
  CREATE TABLE names (
    name TEXT NOT NULL,
    file INTEGER NOT NULL,
    symbols TEXT NOT NULL,
    PRIMARY KEY (name, file)
  ) WITHOUT ROWID;
  CREATE TABLE builder (one INTEGER PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
`;

type NameRow = readonly [name: string, file: number, symbols: string];

/** What made the symbols: other queries find others. A positive number of 31 bits. */
export const indexFormat =
  createHash('sha256')
    .update(JSON.stringify([format, queryByGrammar, topLevelQueryByGrammar]))
    .digest()
    .readUInt32BE() >>> 1;

export function openIndexStore(file: string, sqlite: typeof import('node:sqlite'), owner: string): IndexStore {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (inodeOf(file) === undefined) removeOldest(path.dirname(file));
  const database = new sqlite.DatabaseSync(file, { timeout: busyMs });
  const mark = inodeOf(file);
  const discard = () => {
    if (database.isOpen) database.close();
    if (mark === undefined || inodeOf(file) !== mark) return;
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  };
  try {
    prepareTables(database);
  } catch (error) {
    discard();
    throw error;
  }
  return { ...queriesOf(database, owner), discard };
}

function prepareTables(database: DatabaseSync): void {
  // NORMAL: what a power cut takes is read again. The cache holds pages that names are spread over; checkpoints (each 16 MB)
  // write the same pages over and over while an index is built.
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 4000',
  );
  database.exec('BEGIN IMMEDIATE');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== indexFormat) {
    database.exec('DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS names; DROP TABLE IF EXISTS builder');
    database.exec(`${tables} PRAGMA user_version = ${indexFormat}`);
  }
  database.exec('COMMIT');
}

function queriesOf(database: DatabaseSync, owner: string): Omit<IndexStore, 'discard'> {
  const statements = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const made = statements.get(text) ?? database.prepare(text);
    statements.set(text, made);
    return made;
  };
  let known = new Map<string, KnownFile>();
  let version = -1;

  const transaction = (act: () => void): void => {
    sql('BEGIN IMMEDIATE').run();
    try {
      act();
      sql('COMMIT').run();
    } catch (error) {
      version = -1;
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const forgetNames = (id: number, names: string): void => {
    const remove = sql('DELETE FROM names WHERE name = ? AND file = ?');
    for (const name of JSON.parse(names) as readonly string[]) remove.run(name, id);
  };

  const putOne = (one: IndexedFile, rows: NameRow[]): void => {
    const old = sql('SELECT id, read_at, names FROM files WHERE path = ?').get(one.path) as
      | { id: number; read_at: number; names: string }
      | undefined;
    // Another process has read it later.
    if (old && old.read_at > one.readAt) return;
    if (old) forgetNames(old.id, old.names);
    const byName = Map.groupBy(
      one.symbols.filter(({ name }) => name.length <= maxNameCharacters),
      ({ name }) => name,
    );
    const names = JSON.stringify([...byName.keys()]);
    const { id } = sql(
      `INSERT INTO files (path, stamp, read_at, language, problem, words, names) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, read_at = excluded.read_at,
         language = excluded.language, problem = excluded.problem, words = excluded.words, names = excluded.names RETURNING id`,
    ).get(one.path, stampText(one.stamp), one.readAt, one.language, one.problem ?? null, one.words ?? null, names) as {
      id: number;
    };
    for (const [name, symbols] of byName) rows.push([name, id, JSON.stringify(symbols)]);
    const { stamp, readAt, problem, words } = one;
    known.set(one.path, { stamp, readAt, ...(problem ? { problem } : {}), ...(words ? { words } : {}) });
  };

  const read = (): Map<string, KnownFile> => {
    const rows = sql('SELECT path, stamp, read_at, problem, words FROM files').all() as unknown as readonly {
      path: string;
      stamp: string;
      read_at: number;
      problem: IndexProblem | null;
      words: Uint8Array | null;
    }[];
    return new Map(
      rows.map(({ path: name, stamp, read_at: readAt, problem, words }) => [
        name,
        { stamp: stampOf(stamp), readAt, ...(problem ? { problem } : {}), ...(words ? { words } : {}) },
      ]),
    );
  };

  return {
    known() {
      const { data_version: now } = sql('PRAGMA data_version').get() as { data_version: number };
      if (now !== version) known = read();
      version = now;
      return known;
    },
    definitions(name) {
      const rows = sql(
        'SELECT path, stamp, language, symbols FROM names JOIN files ON files.id = names.file WHERE name = ?',
      ).all(name) as unknown as readonly { path: string; stamp: string; language: string; symbols: string }[];
      return rows.map((row) => ({
        ...row,
        stamp: stampOf(row.stamp),
        symbols: JSON.parse(row.symbols) as readonly PlacedSymbol[], // as `putOne` wrote them
      }));
    },
    put(files, removed = []) {
      transaction(() => {
        const rows: NameRow[] = [];
        for (const file of files) putOne(file, rows);
        // In the order of the table, so that each of its pages is looked for and written once.
        rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        const add = sql('INSERT OR REPLACE INTO names (name, file, symbols) VALUES (?, ?, ?)');
        for (const row of rows) add.run(...row);
        for (const name of removed) {
          const old = sql('DELETE FROM files WHERE path = ? RETURNING id, names').get(name) as
            | { id: number; names: string }
            | undefined;
          if (old) forgetNames(old.id, old.names);
          known.delete(name);
        }
      });
    },
    claim() {
      const now = Date.now();
      // A claim from the future is one of a clock that was set back.
      const { changes } = sql(
        `INSERT INTO builder VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET owner = excluded.owner, until = excluded.until
         WHERE owner = excluded.owner OR until < ? OR until > ?`,
      ).run(owner, now + claimMs, now, now + 2 * claimMs);
      return Number(changes) > 0;
    },
    release() {
      sql('DELETE FROM builder WHERE owner = ?').run(owner);
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

const stampText = ({ mtimeMs, ctimeMs, size, ino }: FileStamp) => `${mtimeMs} ${ctimeMs} ${size} ${ino}`;

function stampOf(text: string): FileStamp {
  const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0] = text.split(' ').map(Number);
  return { mtimeMs, ctimeMs, size, ino };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** The folder holds the indexes of many projects; those that were used least recently go. */
function removeOldest(folder: string): void {
  const databases = readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => ({ name, usedAt: statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const { name } of databases.slice(maxDatabases - 1))
    for (const ending of ['', '-wal', '-shm']) rmSync(path.join(folder, name + ending), { force: true });
}
