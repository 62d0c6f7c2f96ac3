import type { Client } from '../../shared/contract/client.ts';
import type { Envelope } from '../../shared/model/event.ts';
import { reduceWorkbench, type WorkbenchEnvelope } from '../../shared/model/workbench.ts';
import { applyFacts } from './applyFacts.ts';
import { createBatch, type Frames } from './batch.ts';
import { useSessions } from './sessions.ts';
import { useWorkbenchMirror } from './workbench.ts';

export interface Follower {
  /**
   * The engine as the window asks it. An answer never overtakes the facts that were sent before it: when it is here, the
   * mirrors show them.
   */
  readonly client: Client;
  /** Makes exactly these sessions the watched ones. */
  watchOnly(ids: readonly string[]): void;
  /** Asks for everything anew; after a new connection. Answers whether the engine spoke. */
  refresh(): Promise<boolean>;
  dispose(): void;
}

/** Keeps the mirrors equal to the engine: snapshots first, then facts in their order, a snapshot again at a gap. */
export function follow(engine: Client, frames: Frames): Follower {
  const asked = new Set<string>();
  /** Sessions whose snapshot is under way, with the facts that came meanwhile. */
  const early = new Map<string, Envelope[]>();
  /** Facts beside the sessions that came while their snapshot is under way. */
  let earlyWorkbench: WorkbenchEnvelope[] | undefined;
  /** Snapshots that fill a gap: until they are here the mirrors are behind the answers. */
  const gaps = new Set<Promise<unknown>>();

  const fill = (snapshot: Promise<unknown>): void => {
    gaps.add(snapshot);
    void snapshot.finally(() => gaps.delete(snapshot));
  };

  const fetchSession = async (id: string): Promise<void> => {
    if (early.has(id)) return;
    early.set(id, []);
    const answer = await engine.call('session.watch', { session: id });
    facts.flush();
    const since = early.get(id) ?? [];
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
      Object.entries(Object.groupBy(envelopes, ({ session }) => session)).flatMap(([id, since = []]) => {
        const waiting = early.get(id);
        if (waiting) {
          waiting.push(...since);
          return [];
        }
        const known = watched[id];
        if (!known) return [];
        const { session, gap } = applyFacts(known, since);
        if (gap) fill(fetchSession(id));
        return session === known ? [] : [[id, session]];
      }),
    );
    if (Object.keys(changed).length > 0) useSessions.setState({ watched: { ...watched, ...changed } });
  };

  const fetchWorkbench = async (): Promise<boolean> => {
    earlyWorkbench ??= [];
    const answer = await engine.call('workbench.watch', {});
    workbenchFacts.flush();
    const since = earlyWorkbench ?? [];
    earlyWorkbench = undefined;
    if (!answer.ok) return false;
    useWorkbenchMirror.setState(answer.value, true);
    takeWorkbench(since);
    return true;
  };

  const takeWorkbench = (envelopes: readonly WorkbenchEnvelope[]): void => {
    if (earlyWorkbench) return void earlyWorkbench.push(...envelopes);
    const before = useWorkbenchMirror.getState();
    let { seq, state } = before;
    for (const envelope of envelopes) {
      if (envelope.seq <= seq) continue;
      if (envelope.seq > seq + 1) {
        fill(fetchWorkbench());
        break;
      }
      state = reduceWorkbench(state, envelope);
      seq = envelope.seq;
    }
    if (seq !== before.seq) useWorkbenchMirror.setState({ seq, state });
  };

  const facts = createBatch<Envelope>(frames, take);
  const workbenchFacts = createBatch<WorkbenchEnvelope>(frames, takeWorkbench);
  const stops = [engine.onEvent((envelope) => facts.add(envelope)), engine.onWorkbench((e) => workbenchFacts.add(e))];

  return {
    client: {
      ...engine,
      async call(method, input) {
        const answer = await engine.call(method, input);
        // The facts before this answer are gathered for the next frame, which may be far away.
        facts.flush();
        workbenchFacts.flush();
        if (gaps.size > 0) await Promise.all(gaps);
        return answer;
      },
    },
    watchOnly(ids) {
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
        void fetchSession(id);
      }
    },
    async refresh() {
      early.clear();
      const spoke = await fetchWorkbench();
      if (spoke) for (const id of asked) void fetchSession(id);
      return spoke;
    },
    dispose() {
      for (const stop of stops) stop();
      facts.dispose();
      workbenchFacts.dispose();
    },
  };
}

function without<T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
