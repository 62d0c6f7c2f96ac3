import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { summaryOf } from '../../../shared/model/summary.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';
import { datedId } from '../base/ids.ts';
import { describeError } from '../base/log.ts';
import { makeFolder } from '../base/makeFolder.ts';
import type { Redact } from '../base/redact.ts';
import { type Contents, createContents } from '../workspace/contents.ts';
import { type Agent, resumeAgent } from './agent.ts';
import {
  continueJournal,
  createJournal,
  type Journal,
  readJournal,
  redactedJournal,
  type SkippedLine,
} from './journal.ts';
import { lockSession } from './lock.ts';
import { createSession, type Session } from './session.ts';
import { createSessionIndex, journalName } from './sessionIndex.ts';

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

/** All sessions below one state folder: those that are open here, and the list of the others. */
export interface Sessions extends Disposable {
  /** Errors: FILE_WRITE_ERROR (the state folder), UNAVAILABLE, INTERNAL (the lock). */
  create(start: NewSession): Result<LiveSession>;
  /** Opens a session, or gives the open one. Errors: SESSION_NOT_FOUND, UNAVAILABLE (open elsewhere), CONFIG_INVALID (newer or damaged). */
  open(id: string): Promise<Result<LiveSession>>;
  live(id: string): LiveSession | undefined;
  list(): readonly SessionSummary[];
  rebuild(): { readonly sessions: number; readonly broken: number };
  /** The journal of a session without opening it. */
  read(id: string): Result<readonly Envelope[]>;
  /** What the session keeps beside its journal: contents before and after changes, pictures. */
  contentsOf(id: string): Contents;
  delete(id: string): Promise<Result<void>>;
  /**
   * Closes every open session as it stands: what waits for the person waits on after the next start. Resolves when
   * nothing of a turn runs any more.
   */
  close(): Promise<void>;
}

export interface SessionsParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly publish: (envelope: Envelope) => void;
  /** For what is kept; as it is unless told. */
  readonly redact?: Redact;
  /** A summary changed (or, with `undefined`, a session went away). */
  readonly listed: (id: string, summary: SessionSummary | undefined) => void;
  /** Joins a session with what drives it. `recover` runs once before the session takes up an old turn. */
  readonly join: (session: Session) => { readonly agent: Agent; readonly recover: () => Promise<void> };
}

/** A place on disk for a new session, locked. Errors: UNAVAILABLE, INTERNAL, FILE_WRITE_ERROR. */
function openPlace(place: string): Result<{ readonly lock: Disposable; readonly journal: Journal }> {
  try {
    makeFolder(place);
    const lock = lockSession(join(place, 'lock'));
    return lock.ok ? ok({ lock: lock.value, journal: createJournal(join(place, journalName)) }) : lock;
  } catch (error) {
    return fail(
      'FILE_WRITE_ERROR',
      `The session cannot be kept in ${place}: ${describeError(error)}. Make the folder writable, or point VISE_HOME at another.`,
    );
  }
}

function noSuchSession(id: string): Result<never> {
  return fail('SESSION_NOT_FOUND', `There is no session "${id}". "vise sessions list" shows them.`);
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

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** How sessions stand in the list, and who keeps it true while they run. */
function createListing({ publish, listed, redact }: SessionsParts, index: ReturnType<typeof createSessionIndex>) {
  /** The list is kept and shown like the journal. */
  const listedAs = (state: SessionState): SessionSummary => {
    const summary = summaryOf(state);
    return redact ? { ...summary, title: redact(summary.title) } : summary;
  };
  const publisher = (id: string) => {
    let before = '';
    return (envelope: Envelope, state: SessionState): void => {
      publish(envelope);
      if (!changesSummary.has(envelope.event.type)) return;
      const summary = listedAs(state);
      const now = JSON.stringify({ ...summary, updatedAt: '' });
      if (now === before) return;
      before = now;
      index.put(summary);
      listed(id, summary);
    };
  };
  return { listedAs, publisher };
}

export function createSessions(parts: SessionsParts): Sessions {
  const { folder, clock, redact } = parts;
  const keyless = (journal: Journal): Journal => (redact ? redactedJournal(journal, redact) : journal);
  const index = createSessionIndex(folder);
  const { listedAs, publisher } = createListing(parts, index);
  const live = new Map<string, LiveSession & { readonly disposer: Disposer }>();
  const opening = new Map<string, Promise<Result<LiveSession>>>();

  const goLive = (session: Session, lock: Disposable): LiveSession & { readonly recover: () => Promise<void> } => {
    const { agent, recover } = parts.join(session);
    const disposer = new Disposer();
    disposer.add(lock);
    disposer.add(session);
    disposer.defer(() => index.put(listedAs(session.state)));
    disposer.add(agent);
    live.set(session.id, { session, agent, disposer });
    return { session, agent, recover };
  };

  const load = async (id: string): Promise<Result<LiveSession>> => {
    const path = join(folder, id, journalName);
    if (!idPattern.test(id) || !existsSync(path)) return noSuchSession(id);
    const lock = lockSession(join(folder, id, 'lock'));
    if (!lock.ok) return lock;
    const past = readJournal(path);
    if (!past.ok) {
      lock.value.dispose();
      return past;
    }
    const journal = keyless(continueJournal(path, past.value.wholeBytes));
    const session = createSession(
      { id, folder: join(folder, id), journal, clock, publish: publisher(id) },
      past.value.envelopes,
    );
    const entry = goLive(session, lock.value);
    reportSkipped(session, past.value.skipped);
    await entry.recover();
    resumeAgent(entry.agent);
    return ok(entry);
  };

  const sessions: Sessions = {
    create(start) {
      const id = datedId(clock.now());
      const place = join(folder, id);
      const opened = openPlace(place);
      if (!opened.ok) return opened;
      const { lock } = opened.value;
      const journal = keyless(opened.value.journal);
      const session = createSession({ id, folder: place, journal, clock, publish: publisher(id) });
      const { project, title = '', mode, provider, model, parent } = start;
      session.emit({ type: 'session.started', id, project, title, mode, provider, model, parent });
      for (const event of start.past ?? []) session.emit(event);
      return ok(goLive(session, lock));
    },
    async open(id) {
      const open = live.get(id);
      if (open) return ok(open);
      const under = opening.get(id) ?? load(id).finally(() => opening.delete(id));
      opening.set(id, under);
      return under;
    },
    live: (id) => live.get(id),
    list: () =>
      index.list().map((summary) => {
        const open = live.get(summary.id);
        return open ? listedAs(open.session.state) : summary;
      }),
    rebuild: () => index.rebuild(),
    read(id) {
      if (!idPattern.test(id)) return fail('SESSION_NOT_FOUND', `"${id}" is not a session id.`);
      const path = join(folder, id, journalName);
      if (!existsSync(path)) return noSuchSession(id);
      const read = readJournal(path);
      return read.ok ? ok(read.value.envelopes) : read;
    },
    contentsOf: (id) => createContents({ folder: join(folder, id, 'contents') }),
    async delete(id) {
      if (!idPattern.test(id) || !existsSync(join(folder, id)))
        return fail('SESSION_NOT_FOUND', `There is no session "${id}".`);
      const open = live.get(id);
      if (open) {
        await open.agent.stop();
        live.delete(id);
        open.disposer.dispose();
      } else {
        const lock = lockSession(join(folder, id, 'lock'));
        if (!lock.ok) return lock;
      }
      rmSync(join(folder, id), { recursive: true, force: true });
      index.remove(id);
      parts.listed(id, undefined);
      return ok(undefined);
    },
    async close() {
      for (const { session } of live.values()) session.freeze();
      await Promise.all([...live.values()].map(({ agent }) => agent.stop()));
      sessions.dispose();
    },
    dispose() {
      for (const { session, disposer } of live.values()) {
        session.freeze();
        disposer.dispose();
      }
      live.clear();
      index.save();
    },
  };
  return sessions;
}

const changesSummary: ReadonlySet<SessionEvent['type']> = new Set([
  'session.started',
  'session.renamed',
  'session.archived',
  'session.configured',
  'turn.started',
  'turn.interrupted',
  'turn.finished',
  'phase.changed',
  'permission.asked',
  'permission.answered',
  'tool.finished',
  'task.queued',
  'task.started',
  'task.ended',
  'task.removed',
]);
