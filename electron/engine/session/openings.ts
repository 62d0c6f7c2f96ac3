import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { LaneHome } from '../../../shared/model/lane.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { SubagentOf } from '../../../shared/model/subagent.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';
import { describeError } from '../base/log.ts';
import { makeFolder } from '../base/makeFolder.ts';
import type { Redact } from '../base/redact.ts';
import { type Agent, resumeAgent } from './agent.ts';
import { continueJournal, createJournal, type Journal, journalName } from './journal.ts';
import { keepSnapshots, type SnapshotKeeper } from './keepSnapshots.ts';
import { lockSession } from './lock.ts';
import { type RestoredSession, restoreSession } from './restore.ts';
import { createSession, type Session } from './session.ts';
import type { SessionListing } from './sessionListing.ts';

/** A session that is open in this engine. */
export interface LiveSession {
  readonly session: Session;
  readonly agent: Agent;
}

export interface NewSession {
  readonly project: string;
  readonly title?: string;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  /** Facts to begin with, for a fork. */
  readonly past?: readonly SessionEvent[];
  readonly parent?: { readonly id: string; readonly seq: number };
  /** Where its project is one. */
  readonly lane?: LaneHome | undefined;
  readonly subagentOf?: SubagentOf | undefined;
}

export interface SessionsParts {
  /** Of Vise: what another one made of facts is made anew. */
  readonly version: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly publish: (envelope: Envelope) => void;
  /** Whether anybody follows the facts of a session. */
  readonly isWatched: (id: string) => boolean;
  /** For what is kept; as it is unless told. */
  readonly redact?: Redact;
  /** A summary changed (or, with `undefined`, a session went away). */
  readonly listed: (id: string, summary: SessionSummary | undefined) => void;
  /**
   * Joins a session with what drives it. `recover` runs before the session takes up an old turn; it answers false where the
   * project cannot be opened now, and is asked again at the next use of the session.
   */
  readonly join: (session: Session) => { readonly agent: Agent; readonly recover: () => Promise<boolean> };
}

/** What an open session is closed with. */
export interface OpenEntry extends LiveSession {
  readonly recover: () => Promise<boolean>;
  readonly disposer: Disposer;
  isRecovered: boolean;
}

/** A place on disk for a new session, locked. Errors: UNAVAILABLE, INTERNAL, FILE_WRITE_ERROR. */
function openPlace(place: string, redact: Redact): Result<{ readonly lock: Disposable; readonly journal: Journal }> {
  try {
    makeFolder(place);
    const lock = lockSession(join(place, 'lock'));
    if (!lock.ok) return lock;
    try {
      return ok({ lock: lock.value, journal: createJournal(join(place, journalName), redact) });
    } catch (error) {
      lock.value.dispose();
      throw error;
    }
  } catch (error) {
    return cannotKeep(place, error);
  }
}

function cannotKeep(place: string, error: unknown): Result<never> {
  return fail(
    'FILE_WRITE_ERROR',
    `The session cannot be kept in ${place}: ${describeError(error)}. Make the folder writable, or point VISE_HOME at another.`,
  );
}

/** After a failure: that it cannot even be closed well says nothing new. */
export function closeQuietly(...items: readonly Disposable[]): void {
  for (const item of items) {
    try {
      item.dispose();
    } catch {
      // the first failure is told
    }
  }
}

interface SessionAndSnapshots {
  readonly session: Session;
  readonly snapshots: SnapshotKeeper;
}

/** How sessions come to be open. */
export interface Openings {
  /** Errors: UNAVAILABLE, INTERNAL (the lock), FILE_WRITE_ERROR. */
  start(id: string, start: NewSession): Result<OpenEntry>;
  /** Errors: UNAVAILABLE (open elsewhere, or it cannot be opened), INTERNAL (the lock), those of reading its journal. */
  load(id: string): Promise<Result<OpenEntry>>;
}

export function createOpenings(parts: SessionsParts, listing: SessionListing): Openings {
  const { folder, clock, version, redact = (text) => text } = parts;

  const begin = (id: string, journal: Journal, past?: RestoredSession): SessionAndSnapshots => {
    const list = listing.publisher(id);
    const publish = (envelope: Envelope, state: SessionState): void => {
      list(envelope, state);
      if (envelope.event.type === 'turn.finished') snapshots.rested();
    };
    const session = createSession({ id, folder: join(folder, id), journal, clock, publish }, past);
    const coveredBytes = past ? past.wholeBytes - past.readBytes : 0;
    const snapshots = keepSnapshots(session, coveredBytes, { version, redact, clock });
    return { session, snapshots };
  };
  const entryOf = ({ session, snapshots }: SessionAndSnapshots, lock: Disposable): OpenEntry => {
    const { agent, recover } = parts.join(session);
    const disposer = new Disposer();
    disposer.add(lock);
    disposer.add(session);
    disposer.add(snapshots);
    disposer.defer(() => listing.put(session.state));
    disposer.add(agent);
    return { session, agent, recover, disposer, isRecovered: false };
  };

  return {
    start(id, { project, title = '', mode, provider, model, parent, lane, subagentOf, past = [] }) {
      const place = join(folder, id);
      const opened = openPlace(place, redact);
      if (!opened.ok) return opened;
      const { lock } = opened.value;
      const begun = begin(id, opened.value.journal);
      const { session } = begun;
      try {
        session.emit({ type: 'session.started', id, project, title, mode, provider, model, parent, lane, subagentOf });
        for (const event of past) session.emit(event);
        return ok({ ...entryOf(begun, lock), isRecovered: true });
      } catch (error) {
        closeQuietly(session, lock);
        rmSync(place, { recursive: true, force: true });
        return cannotKeep(place, error);
      }
    },
    async load(id) {
      const place = join(folder, id);
      const path = join(place, journalName);
      const lock = lockSession(join(place, 'lock'));
      if (!lock.ok) return lock;
      // What fails on the way leaves nothing behind: no lock, no descriptor, no session that is half there.
      const disposer = new Disposer();
      disposer.add(lock.value);
      try {
        const past = restoreSession(place, version);
        if (!past.ok) {
          disposer.dispose();
          return past;
        }
        const journal = continueJournal(path, past.value.wholeBytes, redact);
        disposer.defer(() => journal.close());
        const begun = begin(id, journal, past.value);
        const entry = entryOf(begun, lock.value);
        disposer.add(entry.disposer);
        reportSkipped(entry.session, past.value);
        begun.snapshots.rested();
        await takeUp(entry);
        return ok(entry);
      } catch (error) {
        closeQuietly(disposer);
        return fail('UNAVAILABLE', `The session ${id} cannot be opened: ${describeError(error)}`);
      }
    },
  };
}

/** What waits for the person while its project is gone waits until it is there again. */
export async function takeUp(entry: OpenEntry): Promise<Result<LiveSession>> {
  if (!entry.isRecovered && (await entry.recover())) {
    entry.isRecovered = true;
    resumeAgent(entry.agent);
  }
  return ok(entry);
}

/** Said once: the notice is a fact of the same journal. */
function reportSkipped(session: Session, { skipped, skippedCount }: RestoredSession): void {
  if (skippedCount === 0) return;
  const named = skipped.map(({ line, why }) => `line ${line} (${why})`);
  const more = skippedCount > skipped.length ? ` and ${skippedCount - skipped.length} more` : '';
  const text = `Facts of this session could not be read and are left out: ${named.join(', ')}${more} of journal.jsonl.`;
  for (const item of itemsOf(session.state.items)) if (item.kind === 'notice' && item.text === text) return;
  session.emit({ type: 'notice', level: 'warning', code: 'damaged', text });
}
