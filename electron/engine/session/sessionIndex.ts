import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { summaryOf } from '../../../shared/model/summary.ts';
import { type SessionSummary, sessionSummarySchema } from '../../../shared/model/workbench.ts';
import { writeFileAtomic } from '../base/atomicFile.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { lockHolder } from '../base/fileLock.ts';
import { isRecord, readJsonFile } from '../base/jsonFile.ts';
import { errnoOf } from '../base/log.ts';
import { followFolder } from './followFolder.ts';
import { journalName } from './journal.ts';
import { eachFact } from './readJournal.ts';
import { restoreSession } from './restore.ts';

interface Entry {
  /** Size of the journal that the summary was made from; another size makes it worthless, unless the session is open. */
  readonly sizeBytes: number;
  readonly summary: SessionSummary;
}

/**
 * The list of sessions. It can be thrown away at any time: each line is checked against its journal's size and remade
 * from the journal when that has moved on, so a crash, a second Vise or an update never loses history.
 */
export interface SessionIndex {
  list(): readonly SessionSummary[];
  /** Makes every line anew from the journals; how many there were. */
  rebuild(): { readonly sessions: number; readonly broken: number };
  put(summary: SessionSummary): void;
  remove(id: string): void;
  save(): void;
  /** Tells what other processes add, change and delete, soon after it is on the disk. */
  follow(onChange: (id: string, summary: SessionSummary | undefined) => void): Disposable;
}

/** So many facts of a turn cost one writing. */
const saveAfterMs = 500;

export interface SessionIndexDeps {
  readonly folder: string;
  readonly version: string;
  readonly clock: Clock;
  /** Of a session that is open here. */
  readonly live: (id: string) => SessionSummary | undefined;
}

export function createSessionIndex({ folder, version, clock, live }: SessionIndexDeps): SessionIndex {
  const file = join(folder, 'index.json');
  let known = new Map<string, Entry>();
  /** As the file was when it was last read or written here; read when the list is first asked for, not at every start. */
  let seenMark = '';
  let changed = false;
  let saving: Disposable | undefined;
  /** What others have written since counts, but for the sessions that are open here. */
  const readOthers = (): void => {
    const mark = fileMark(file);
    if (mark === seenMark) return;
    seenMark = mark;
    const own = [...known].filter(([id]) => live(id) !== undefined);
    known = new Map([...known, ...readEntries(file), ...own]);
  };
  const entryOf = (id: string, trustIndex: boolean): Entry | undefined => {
    const place = join(folder, id);
    const sizeBytes = sizeOf(join(place, journalName));
    const open = live(id);
    if (sizeBytes === undefined) return undefined;
    if (open) return { sizeBytes, summary: open };
    const before = trustIndex ? known.get(id) : undefined;
    // While another Vise has it open, its line is that one's: it moves with each fact.
    if (before && (before.sizeBytes === sizeBytes || lockHolder(join(place, 'lock')) !== undefined)) return before;
    changed = true;
    return { sizeBytes, summary: summarise(id, place, trustIndex ? version : undefined) };
  };
  const refresh = (trustIndex: boolean): void => {
    readOthers();
    const ids = sessionFolders(folder);
    if (!ids) return;
    const next = new Map<string, Entry>();
    for (const id of ids) {
      const entry = entryOf(id, trustIndex);
      if (entry) next.set(id, entry);
    }
    if (next.size !== known.size) changed = true;
    known = next;
  };
  const save = (): void => {
    saving?.dispose();
    saving = undefined;
    if (!changed) return;
    try {
      readOthers();
      writeFileAtomic(file, JSON.stringify({ sessions: Object.fromEntries(known) }), { isSynced: false });
      seenMark = fileMark(file);
      changed = false;
    } catch {
      // A full disk: the list can be made again from the journals at any time.
    }
  };
  const list = (): readonly SessionSummary[] => {
    refresh(true);
    save();
    return [...known.values()]
      .map(({ summary }) => summary)
      .toSorted((a, b) => (a.updatedAt === b.updatedAt ? (a.id < b.id ? 1 : -1) : a.updatedAt < b.updatedAt ? 1 : -1));
  };

  return {
    list,
    follow(onChange) {
      const lines = (): Map<string, string> => new Map(list().map((one) => [one.id, JSON.stringify(one)]));
      let told = lines();
      return followFolder(folder, clock, (name) => {
        if (name?.startsWith('.') || (name === 'index.json' && fileMark(file) === seenMark)) return;
        return () => {
          const before = told;
          told = lines();
          for (const [id, { summary }] of known)
            if (live(id) === undefined && told.get(id) !== before.get(id)) onChange(id, summary);
          for (const id of before.keys()) if (!told.has(id)) onChange(id, undefined);
        };
      });
    },
    rebuild() {
      refresh(false);
      changed = true;
      save();
      const broken = [...known.values()].filter(({ summary }) => summary.broken !== undefined).length;
      return { sessions: known.size, broken };
    },
    put(summary) {
      const sizeBytes = sizeOf(join(folder, summary.id, journalName));
      if (sizeBytes === undefined) return;
      known.set(summary.id, { sizeBytes, summary });
      changed = true;
      saving ??= clock.after(saveAfterMs, save);
    },
    remove(id) {
      changed = known.delete(id) || changed;
    },
    save,
  };
}

/** Nothing where the folder cannot be read now: that says nothing of what lies in it. */
function sessionFolders(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? [] : undefined;
  }
}

/** Changes with each writing of a file that is replaced by a new one. */
function fileMark(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch {
    return undefined;
  }
}

/** Whatever stands in a journal, it is one line of the list and harms no other. Without a version no snapshot is trusted. */
function summarise(id: string, place: string, version: string | undefined): SessionSummary {
  const read = restoreSession(place, version, { items: false });
  const known = read.ok ? parseSummary({ ...summaryOf(read.value.state), id }) : undefined;
  if (known) return known;
  const broken = read.ok ? 'Its facts do not fit each other.' : read.error.message;
  const path = join(place, journalName);
  const { project, title } = salvaged(path);
  const updatedAt = writtenAt(path);
  return { ...summaryOf(emptySession), id, project, title: title || id, createdAt: updatedAt, updatedAt, broken };
}

/** Of a journal that cannot be opened: whose it seems to be. */
function salvaged(path: string): { readonly project: string; readonly title: string } {
  let state = emptySession;
  eachFact(
    path,
    (fact) => {
      if (fact.event.type === 'session.started' || fact.event.type === 'session.renamed') state = reduce(state, fact);
    },
    { salvage: true },
  );
  return { project: state.project, title: state.title };
}

/** When a file was last written, ISO: what a damaged journal itself cannot say. */
function writtenAt(path: string): string {
  try {
    return statSync(path).mtime.toISOString();
  } catch {
    return new Date(0).toISOString();
  }
}

function parseSummary(value: unknown): SessionSummary | undefined {
  const parsed = sessionSummarySchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function readEntries(file: string): Map<string, Entry> {
  const read = readJsonFile(file, 200 * 1024 * 1024);
  const sessions = read.state === 'read' && isRecord(read.value) ? read.value['sessions'] : undefined;
  const entries = new Map<string, Entry>();
  if (!isRecord(sessions)) return entries;
  // Written by this module alone; a line of another shape is remade like one that is missing.
  for (const [id, entry] of Object.entries(sessions)) {
    const summary = isRecord(entry) ? parseSummary(entry['summary']) : undefined;
    if (isRecord(entry) && typeof entry['sizeBytes'] === 'number' && summary)
      entries.set(id, { sizeBytes: entry['sizeBytes'], summary });
  }
  return entries;
}
