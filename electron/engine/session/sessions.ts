import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Envelope, SessionEvent } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Disposable, Disposer } from '../base/disposer.ts';
import { datedId } from '../base/ids.ts';
import { type Contents, createContents } from '../workspace/contents.ts';
import { createIdleCloser } from './closeIdle.ts';
import { journalName } from './journal.ts';
import { lockSession } from './lock.ts';
import {
  closeQuietly,
  createOpenings,
  type LiveSession,
  type NewSession,
  type OpenEntry,
  type SessionsParts,
  takeUp,
} from './openings.ts';
import { eachFact, readJournal } from './readJournal.ts';
import { restoreSession } from './restore.ts';
import { createSessionIndex } from './sessionIndex.ts';
import { createSessionListing, type SessionListing } from './sessionListing.ts';

/** All sessions below one state folder: those that are open here, and the list of the others. */
export interface Sessions extends Disposable {
  /** Errors: FILE_WRITE_ERROR (the state folder), UNAVAILABLE, INTERNAL (the lock). */
  create(start: NewSession): Result<LiveSession>;
  /** Opens a session, or gives the open one. Errors: SESSION_NOT_FOUND, UNAVAILABLE (open elsewhere), CONFIG_INVALID (newer or damaged). */
  open(id: string): Promise<Result<LiveSession>>;
  live(id: string): LiveSession | undefined;
  list(): readonly SessionSummary[];
  /** Tells what other processes add, change and delete. */
  follow(onChange: (id: string, summary: SessionSummary | undefined) => void): Disposable;
  rebuild(): { readonly sessions: number; readonly broken: number };
  /** The journal of a session without opening it. */
  read(id: string): Result<readonly Envelope[]>;
  /** Its state: of the open one, or as its journal has it. Errors: those of reading the journal. */
  stateOf(id: string): Result<SessionState>;
  /** What the session keeps beside its journal: contents before and after changes, pictures. */
  contentsOf(id: string): Contents;
  /**
   * A new session of what can be read of a damaged one, which stays as it is. `project`: where the journal does not say it.
   * Errors: SESSION_NOT_FOUND, VALIDATION_ERROR (no project is known), those of `create`.
   */
  copyReadable(id: string, project?: string): Result<LiveSession>;
  delete(id: string): Promise<Result<void>>;
  /**
   * Closes every open session as it stands: what waits for the person waits on after the next start. Resolves when
   * nothing of a turn runs any more.
   */
  close(): Promise<void>;
}

function noSuchSession(id: string): Result<never> {
  return fail('SESSION_NOT_FOUND', `There is no session "${id}". "vise sessions list" shows them.`);
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

export function createSessions(parts: SessionsParts): Sessions {
  const { folder, clock } = parts;
  const live = new Map<string, OpenEntry>();
  const index = createSessionIndex({
    ...parts,
    live(id) {
      const open = live.get(id);
      return open && listing.summary(open.session.state);
    },
  });
  const listing: SessionListing = createSessionListing(parts, index);
  const openings = createOpenings(parts, listing);
  const following = new Disposer();
  const idle = createIdleCloser(live, {
    clock,
    isWatched: parts.isWatched,
    close(id) {
      const open = live.get(id);
      live.delete(id);
      if (open) closeQuietly(open.disposer);
    },
  });
  const opening = new Map<string, Promise<Result<LiveSession>>>();
  /** Live only once it is recovered: who uses it meets a session as it will stay. */
  const load = async (id: string): Promise<Result<LiveSession>> => {
    if (!idPattern.test(id) || !existsSync(join(folder, id, journalName))) return noSuchSession(id);
    const loaded = await openings.load(id);
    if (loaded.ok) {
      live.set(id, loaded.value);
      idle.used(id);
    }
    return loaded;
  };

  const sessions: Sessions = {
    create(start) {
      const entry = openings.start(datedId(clock.now()), start);
      if (entry.ok) {
        live.set(entry.value.session.id, entry.value);
        idle.used(entry.value.session.id);
      }
      return entry;
    },
    async open(id) {
      const open = live.get(id);
      if (open) idle.used(id);
      if (open?.isRecovered) return ok(open);
      const under = opening.get(id) ?? (open ? takeUp(open) : load(id)).finally(() => opening.delete(id));
      opening.set(id, under);
      return under;
    },
    live: (id) => live.get(id),
    list: () => index.list(),
    follow: (onChange) => following.add(index.follow(onChange)),
    rebuild: () => index.rebuild(),
    read(id) {
      if (!idPattern.test(id)) return fail('SESSION_NOT_FOUND', `"${id}" is not a session id.`);
      const path = join(folder, id, journalName);
      if (!existsSync(path)) return noSuchSession(id);
      const read = readJournal(path);
      return read.ok ? ok(read.value.envelopes) : read;
    },
    stateOf(id) {
      const open = live.get(id);
      if (open) return ok(open.session.state);
      if (!idPattern.test(id)) return noSuchSession(id);
      const restored = restoreSession(join(folder, id), parts.version);
      return restored.ok ? ok(restored.value.state) : restored;
    },
    contentsOf: (id) => createContents({ folder: join(folder, id, 'contents') }),
    copyReadable: (id, given) => copyReadable(sessions, folder, id, given),
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
      following.dispose();
      idle.dispose();
      for (const { session, disposer } of live.values()) {
        session.freeze();
        closeQuietly(disposer);
      }
      live.clear();
      index.save();
    },
  };
  return sessions;
}

function copyReadable(
  sessions: Pick<Sessions, 'create'>,
  folder: string,
  id: string,
  given: string | undefined,
): Result<LiveSession> {
  const path = join(folder, id, journalName);
  if (!idPattern.test(id) || !existsSync(path)) return noSuchSession(id);
  const facts: SessionEvent[] = [];
  const read = eachFact(path, ({ event }) => facts.push(event), { salvage: true });
  if (!read.ok) return read;
  const start = facts.find((event) => event.type === 'session.started');
  const project = start?.project ?? given;
  if (project === undefined)
    return fail('VALIDATION_ERROR', 'Its journal does not say which project it was of. Name the folder.');
  const { mode = 'direct', provider = '', model = '' } = start ?? {};
  const past = facts.filter((event) => event.type !== 'session.started');
  const title = `${start?.title || id} (copy)`;
  return sessions.create({ project, lane: start?.lane, title, mode, provider, model, past, parent: { id, seq: 0 } });
}
