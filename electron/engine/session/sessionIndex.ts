import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { summaryOf } from '../../../shared/model/summary.ts';
import { type SessionSummary, sessionSummarySchema } from '../../../shared/model/workbench.ts';
import { writeFileAtomic } from '../base/atomicFile.ts';
import { isRecord, readJsonFile } from '../base/jsonFile.ts';
import { eachFact } from './readJournal.ts';

interface Entry {
  /** Size of the journal that the summary was made from; any other size makes it worthless. */
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
}

export const journalName = 'journal.jsonl';

export function createSessionIndex(folder: string): SessionIndex {
  const file = join(folder, 'index.json');
  let known: Map<string, Entry> | undefined;
  let changed = false;
  /** Put while the list had not been read. */
  const early = new Map<string, Entry>();
  /** Read when it is first asked for: a session starts without the list of all others. */
  const entries = (): Map<string, Entry> => {
    known ??= new Map([...readEntries(file), ...early]);
    return known;
  };

  const refresh = (trustIndex: boolean): void => {
    const next = new Map<string, Entry>();
    for (const id of sessionFolders(folder)) {
      const path = join(folder, id, journalName);
      const sizeBytes = sizeOf(path);
      if (sizeBytes === undefined) continue;
      const before = trustIndex ? entries().get(id) : undefined;
      if (before?.sizeBytes === sizeBytes) next.set(id, before);
      else {
        next.set(id, { sizeBytes, summary: summarise(id, path) });
        changed = true;
      }
    }
    if (next.size !== entries().size) changed = true;
    known = next;
  };
  const save = (): void => {
    if (!changed) return;
    try {
      writeFileAtomic(file, JSON.stringify({ sessions: Object.fromEntries(entries()) }), { isSynced: false });
      changed = false;
    } catch {
      // A full disk: the list can be made again from the journals at any time.
    }
  };

  return {
    list() {
      refresh(true);
      save();
      return [...entries().values()]
        .map(({ summary }) => summary)
        .toSorted((a, b) =>
          a.updatedAt === b.updatedAt ? (a.id < b.id ? 1 : -1) : a.updatedAt < b.updatedAt ? 1 : -1,
        );
    },
    rebuild() {
      refresh(false);
      changed = true;
      save();
      const broken = [...entries().values()].filter(({ summary }) => summary.broken !== undefined).length;
      return { sessions: entries().size, broken };
    },
    put(summary) {
      const sizeBytes = sizeOf(join(folder, summary.id, journalName));
      if (sizeBytes === undefined) return;
      (known ?? early).set(summary.id, { sizeBytes, summary });
      changed = true;
    },
    remove(id) {
      changed = entries().delete(id) || changed;
    },
    save,
  };
}

function sessionFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch {
    return undefined;
  }
}

/** Whatever stands in a journal, it is one line of the list and harms no other. */
function summarise(id: string, path: string): SessionSummary {
  let state = emptySession;
  const read = eachFact(path, (fact) => {
    state = reduce(state, fact);
  });
  const known = parseSummary({ ...summaryOf(state), id });
  if (read.ok && known && state.id !== '') return known;
  const broken = read.ok ? 'Its facts do not fit each other.' : read.error.message;
  const { project, title } = salvaged(path);
  return { ...summaryOf(emptySession), id, project, title: title || id, broken };
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
