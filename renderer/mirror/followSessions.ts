import type { Client } from '../../shared/contract/client.ts';
import type { Envelope } from '../../shared/model/event.ts';
import type { SessionState } from '../../shared/model/sessionState.ts';
import { afterLeftOut, filledFrom } from '../../shared/model/timeline.ts';
import { applyFacts } from './applyFacts.ts';
import { createBatch } from './batch.ts';
import type { Frames } from './restingFrames.ts';
import { useSessions } from './sessions.ts';

/** Keeps the watched sessions equal to the engine's. `onGap` is handed each snapshot that fills a gap. */
export function followSessions(engine: Client, frames: Frames, onGap: (snapshot: Promise<unknown>) => void) {
  const asked = new Set<string>();
  /** Sessions whose snapshot is under way, with the facts that came meanwhile. */
  const early = new Map<string, Envelope[]>();

  /** Sessions whose older items are under way. */
  const filling = new Set<string>();

  const fetch = async (id: string): Promise<void> => {
    const since: Envelope[] = [];
    early.set(id, since);
    const answer = await engine.call('session.watch', { session: id });
    batch.flush();
    // Let go and wanted again meanwhile, or a new connection: the answer to the newest question counts.
    if (early.get(id) !== since) return;
    early.delete(id);
    if (!asked.has(id)) return;
    if (!answer.ok) {
      // A lost connection is not the session's fault: the next connection asks again.
      if (answer.error.code === 'UNAVAILABLE') return;
      useSessions.setState(({ failed }) => ({ failed: { ...failed, [id]: answer.error.message } }));
      return;
    }
    const { seq, state, draft } = answer.value;
    useSessions.setState(({ watched, failed: { [id]: _mended, ...failed } }) => ({
      watched: { ...watched, [id]: { seq, state: withKnownItems(state, watched[id]?.state), draft } },
      failed,
    }));
    take(since);
    void fill(id);
  };

  /** The older parts of a long timeline, newest first, each asked for when the one before has come. */
  const fill = async (id: string): Promise<void> => {
    if (filling.has(id)) return;
    filling.add(id);
    for (;;) {
      const { watched } = useSessions.getState();
      const before = afterLeftOut(watched[id]?.state.items ?? []);
      if (before === 0) break;
      const answer = await engine.call('session.items', { session: id, before });
      if (!answer.ok) break;
      useSessions.setState(({ watched }) => {
        const now = watched[id];
        if (!now) return {};
        const items = filledFrom(now.state.items, answer.value.from, answer.value.items);
        return { watched: { ...watched, [id]: { ...now, state: { ...now.state, items } } } };
      });
    }
    filling.delete(id);
  };

  const take = (envelopes: readonly Envelope[]): void => {
    const { watched } = useSessions.getState();
    const changed: typeof watched = Object.fromEntries(
      Object.entries(Object.groupBy(envelopes, ({ session }) => session)).flatMap(([id, facts = []]) => {
        const waiting = early.get(id);
        waiting?.push(...facts);
        const known = watched[id];
        if (waiting || !known) return [];
        const { session, gap } = applyFacts(known, facts);
        if (gap) onGap(fetch(id));
        return session === known ? [] : [[id, session]];
      }),
    );
    if (Object.keys(changed).length > 0) useSessions.setState({ watched: { ...watched, ...changed } });
  };

  const batch = createBatch<Envelope>(frames, take);
  const stop = engine.onEvent((envelope) => batch.add(envelope));

  return {
    flush: batch.flush,
    watchOnly(ids: readonly string[]) {
      const wanted = new Set(ids);
      const gone = [...asked].filter((id) => !wanted.has(id));
      for (const id of gone) {
        asked.delete(id);
        void engine.call('session.unwatch', { session: id });
      }
      if (gone.length > 0)
        useSessions.setState(({ watched, failed }) => ({
          watched: without(watched, gone),
          failed: without(failed, gone),
        }));
      for (const id of wanted) {
        if (asked.has(id)) continue;
        asked.add(id);
        void fetch(id);
      }
    },
    /** Asks for each watched session anew. */
    refresh() {
      for (const id of asked) void fetch(id);
    },
    dispose() {
      stop();
      batch.dispose();
    },
  };
}

/** What this window has of the items that the new state leaves out; a chunk of finished calls never changes. */
function withKnownItems(state: SessionState, known: SessionState | undefined): SessionState {
  if (known === undefined || afterLeftOut(state.items) === 0) return state;
  const finished = known.items.map((chunk, at) =>
    at < known.items.length - 1 && chunk.every((item) => item.kind !== 'call' || item.call.state === 'finished')
      ? chunk
      : [],
  );
  return { ...state, items: filledFrom(state.items, 0, finished) };
}

function without<T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
