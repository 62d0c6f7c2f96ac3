import type { Client } from '../../shared/contract/client.ts';
import type { Envelope } from '../../shared/model/event.ts';
import { applyFacts } from './applyFacts.ts';
import { createBatch } from './batch.ts';
import type { Frames } from './frames.ts';
import { useSessions } from './sessions.ts';

/** Keeps the watched sessions equal to the engine's. `onGap` is handed each snapshot that fills a gap. */
export function followSessions(engine: Client, frames: Frames, onGap: (snapshot: Promise<unknown>) => void) {
  const asked = new Set<string>();
  /** Sessions whose snapshot is under way, with the facts that came meanwhile. */
  const early = new Map<string, Envelope[]>();

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
      watched: { ...watched, [id]: { seq, state, draft } },
      failed,
    }));
    take(since);
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

function without<T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
