import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createNameLookup, type NameLookup } from './nameLookup.ts';
import { queryByGrammar, topLevelQueryByGrammar } from './queries/byLanguage.ts';
import type { FileStamp } from './readSource.ts';
import type { StoredSymbols } from './storedSymbols.ts';

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
  readonly symbols: StoredSymbols;
}

export type IndexProblem = 'unreadable' | 'timeout' | 'generated';

export type KnownFile = Pick<IndexedFile, 'stamp' | 'readAt' | 'problem' | 'words'> & Pick<StoredSymbols, 'names'>;

/** What was kept of one file, with its symbols. */
export type IndexHit = Pick<IndexedFile, 'path' | 'stamp' | 'readAt' | 'language' | 'problem'> & {
  readonly text: StoredSymbols['text'];
};

/**
 * Symbols of a project in a file (SQLite), shared by processes: what another one has read need not be read again. Nothing
 * in it cannot be had again, so a file that is damaged is thrown away. All calls block and throw what SQLite throws.
 */
export interface IndexStore {
  /** By path; read again when another process has written. */
  known(): ReadonlyMap<string, KnownFile>;
  /** Files in which this hash of a name was found when they were read; some hold only one that is equal by chance. */
  filesWith(hash: number): readonly string[];
  /** Files whose symbols are not known. */
  unparsed(): ReadonlySet<string>;
  /** One file; without reading all that is known. */
  file(path: string): IndexHit | undefined;
  put(files: readonly IndexedFile[], removed?: readonly string[]): void;
  /** Whether this process may fill it now: one at a time, for some seconds after each `claim`. */
  claim(): boolean;
  release(): void;
  close(): void;
  /** Closes and removes the file; not one that another process has put there since. */
  discard(): void;
}

/** Counted up when the tables or the meaning of symbols change. */
const format = 2;
const busyMs = 2_000;
const claimMs = 15_000;
/** Files that are looked through one by one before all names are put together again. */
const maxLater = 1_000;
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
    names BLOB NOT NULL,
    symbols TEXT NOT NULL
  );
  CREATE TABLE builder (one INTEGER PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
`;

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
  // NORMAL: what a power cut takes is read again.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  database.exec('BEGIN IMMEDIATE');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== indexFormat) {
    database.exec('DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS builder');
    database.exec(`${tables} PRAGMA user_version = ${indexFormat}`);
  }
  database.exec('COMMIT');
}

/** The prepared statement for a text, made once. */
type Sql = (text: string) => StatementSync;

function queriesOf(database: DatabaseSync, owner: string): Omit<IndexStore, 'discard'> {
  const statements = new Map<string, StatementSync>();
  const sql: Sql = (text) => {
    const made = statements.get(text) ?? database.prepare(text);
    statements.set(text, made);
    return made;
  };
  let known = new Map<string, KnownFile>();
  let version = -1;
  let lookup: NameLookup | undefined;
  /** Read since the lookup was made. */
  const later = new Set<string>();
  const unparsed = new Set<string>();

  const remember = (name: string, file: KnownFile | undefined): void => {
    if (file) known.set(name, file);
    else known.delete(name);
    if (file?.problem) unparsed.add(name);
    else unparsed.delete(name);
    later.add(name);
    if (later.size > maxLater) lookup = undefined;
  };

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

  return {
    known() {
      const { data_version: now } = sql('PRAGMA data_version').get() as { data_version: number };
      if (now === version) return known;
      known = readKnown(sql);
      version = now;
      lookup = undefined;
      unparsed.clear();
      for (const [name, { problem }] of known) if (problem) unparsed.add(name);
      return known;
    },
    filesWith(hash) {
      if (!lookup) {
        lookup = createNameLookup(known);
        later.clear();
      }
      const found = lookup.filesWith(hash).filter((name) => !later.has(name));
      for (const name of later) if (known.get(name)?.names.includes(hash)) found.push(name);
      return found;
    },
    unparsed: () => unparsed,
    file: (name) => readFile(sql, name),
    put(files, removed = []) {
      transaction(() => {
        for (const file of files) if (writeFile(sql, file)) remember(file.path, knownOf(file));
        for (const name of removed) {
          sql('DELETE FROM files WHERE path = ?').run(name);
          remember(name, undefined);
        }
      });
    },
    claim: () => claim(sql, owner),
    release() {
      sql('DELETE FROM builder WHERE owner = ?').run(owner);
    },
    close() {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
}

function readKnown(sql: Sql): Map<string, KnownFile> {
  const rows = sql('SELECT path, stamp, read_at, problem, words, names FROM files').all() as unknown as readonly {
    path: string;
    stamp: string;
    read_at: number;
    problem: IndexProblem | null;
    words: Uint8Array | null;
    names: Uint8Array;
  }[];
  return new Map(
    rows.map(({ path: name, stamp, read_at: readAt, problem, words, names }) => [
      name,
      {
        stamp: stampOf(stamp),
        readAt,
        names: new Uint32Array(names.buffer, names.byteOffset, names.length / 4),
        ...(problem ? { problem } : {}),
        ...(words ? { words } : {}),
      },
    ]),
  );
}

function knownOf({ stamp, readAt, problem, words, symbols: { names } }: IndexedFile): KnownFile {
  return { stamp, readAt, names, ...(problem ? { problem } : {}), ...(words ? { words } : {}) };
}

function readFile(sql: Sql, name: string): IndexHit | undefined {
  const row = sql('SELECT stamp, read_at, language, problem, symbols FROM files WHERE path = ?').get(name) as
    | { stamp: string; read_at: number; language: string; problem: IndexProblem | null; symbols: string }
    | undefined;
  if (!row) return undefined;
  const { stamp, read_at: readAt, language, problem, symbols: text } = row;
  return { path: name, stamp: stampOf(stamp), readAt, language, text, ...(problem ? { problem } : {}) };
}

/** False when another process has read the file later: then what that one wrote stays. */
function writeFile(sql: Sql, file: IndexedFile): boolean {
  const { changes } = sql(
    `INSERT INTO files (path, stamp, read_at, language, problem, words, names, symbols) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, read_at = excluded.read_at, language = excluded.language,
       problem = excluded.problem, words = excluded.words, names = excluded.names, symbols = excluded.symbols
     WHERE excluded.read_at >= read_at`,
  ).run(
    file.path,
    stampText(file.stamp),
    file.readAt,
    file.language,
    file.problem ?? null,
    file.words ?? null,
    new Uint8Array(file.symbols.names.buffer),
    file.symbols.text,
  );
  return Number(changes) > 0;
}

function claim(sql: Sql, owner: string): boolean {
  const now = Date.now();
  // A claim from the future is one of a clock that was set back.
  const { changes } = sql(
    `INSERT INTO builder VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET owner = excluded.owner, until = excluded.until
     WHERE owner = excluded.owner OR until < ? OR until > ?`,
  ).run(owner, now + claimMs, now, now + 2 * claimMs);
  return Number(changes) > 0;
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
