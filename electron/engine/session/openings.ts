import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';
import { describeError } from '../base/log.ts';
import { makeFolder } from '../base/makeFolder.ts';
import type { Redact } from '../base/redact.ts';
import { type Agent, resumeAgent } from './agent.ts';
import { continueJournal, createJournal, type Journal, redactedJournal } from './journal.ts';
import { lockSession } from './lock.ts';
import { readJournal, type SkippedLine } from './readJournal.ts';
import { createSession, type Session } from './session.ts';
import { journalName } from './sessionIndex.ts';
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
}

export interface SessionsParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly publish: (envelope: Envelope) => void;
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
function openPlace(place: string): Result<{ readonly lock: Disposable; readonly journal: Journal }> {
  try {
    makeFolder(place);
    const lock = lockSession(join(place, 'lock'));
    if (!lock.ok) return lock;
    try {
      return ok({ lock: lock.value, journal: createJournal(join(place, journalName)) });
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

/** How sessions come to be open. */
export interface Openings {
  /** Errors: UNAVAILABLE, INTERNAL (the lock), FILE_WRITE_ERROR. */
  start(id: string, start: NewSession): Result<OpenEntry>;
  /** Errors: UNAVAILABLE (open elsewhere, or it cannot be opened), INTERNAL (the lock), those of reading its journal. */
  load(id: string): Promise<Result<OpenEntry>>;
}

export function createOpenings(parts: SessionsParts, listing: SessionListing): Openings {
  const { folder, clock, redact } = parts;
  const keyless = (journal: Journal): Journal => (redact ? redactedJournal(journal, redact) : journal);

  const entryOf = (session: Session, lock: Disposable): OpenEntry => {
    const { agent, recover } = parts.join(session);
    const disposer = new Disposer();
    disposer.add(lock);
    disposer.add(session);
    disposer.defer(() => listing.put(session.state));
    disposer.add(agent);
    return { session, agent, recover, disposer, isRecovered: false };
  };

  return {
    start(id, { project, title = '', mode, provider, model, parent, past = [] }) {
      const place = join(folder, id);
      const opened = openPlace(place);
      if (!opened.ok) return opened;
      const { lock } = opened.value;
      const journal = keyless(opened.value.journal);
      const session = createSession({ id, folder: place, journal, clock, publish: listing.publisher(id) });
      try {
        session.emit({ type: 'session.started', id, project, title, mode, provider, model, parent });
        for (const event of past) session.emit(event);
        return ok({ ...entryOf(session, lock), isRecovered: true });
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
        const past = readJournal(path);
        const isBegun = past.ok && past.value.envelopes[0]?.event.type === 'session.started';
        if (!past.ok || !isBegun) {
          disposer.dispose();
          return past.ok
            ? fail('CONFIG_INVALID', `${path} does not begin with its session; it is left as it is.`)
            : past;
        }
        const journal = keyless(continueJournal(path, past.value.wholeBytes));
        disposer.defer(() => journal.close());
        const publish = listing.publisher(id);
        const session = createSession({ id, folder: place, journal, clock, publish }, past.value.envelopes);
        const entry = entryOf(session, lock.value);
        disposer.add(entry.disposer);
        reportSkipped(session, past.value.skipped);
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

const namedLines = 5;

/** Said once: the notice is a fact of the same journal. */
function reportSkipped(session: Session, skipped: readonly SkippedLine[]): void {
  if (skipped.length === 0) return;
  const named = skipped.slice(0, namedLines).map(({ line, why }) => `line ${line} (${why})`);
  const more = skipped.length > namedLines ? ` and ${skipped.length - namedLines} more` : '';
  const text = `Facts of this session could not be read and are left out: ${named.join(', ')}${more} of journal.jsonl.`;
  for (const item of itemsOf(session.state.items)) if (item.kind === 'notice' && item.text === text) return;
  session.emit({ type: 'notice', level: 'warning', code: 'damaged', text });
}
