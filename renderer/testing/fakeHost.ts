import type { InputOf, MethodName, OutputOf } from '../../shared/contract/api.ts';
import type { Connection } from '../../shared/contract/connection.ts';
import { clientFrame, type HostFrame, packBytes } from '../../shared/contract/frame.ts';
import { inMemoryPair } from '../../shared/contract/inMemoryPair.ts';
import type { Envelope, SessionEvent } from '../../shared/model/event.ts';
import { reduce } from '../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../shared/model/sessionState.ts';
import { summaryOf } from '../../shared/model/summary.ts';
import { reduceWorkbench, type WorkbenchEvent, type WorkbenchState } from '../../shared/model/workbench.ts';
import { ago } from './sceneParts.ts';

export type FakeHandlers = {
  readonly [M in MethodName]?: (input: InputOf<M>) => OutputOf<M> | undefined;
};

export interface FakeHost {
  /** Opens one more connection; the host serves them all. */
  connect(): Connection;
  /** States one more fact, as the engine would: reduced here, numbered, published. */
  emit(session: string, event: SessionEvent, at?: string): void;
  change(event: WorkbenchEvent): void;
  /** Sends console bytes on a channel. */
  write(channel: number, bytes: Uint8Array): void;
  /** What was called, oldest first. */
  readonly calls: readonly { readonly method: MethodName; readonly input: unknown }[];
  state(session: string): SessionState;
  /** Ends all connections, as a crash of the engine does. */
  crash(): void;
}

/**
 * A host without an engine, for tests and pictures: it keeps states by the real reducers and answers what its
 * handlers answer. Whatever they leave open is refused.
 */
export function createFakeHost(workbench: WorkbenchState, handlers: FakeHandlers = {}): FakeHost {
  let known = workbench;
  let benchSeq = 0;
  const sessions = new Map<string, { seq: number; state: SessionState }>();
  const ends = new Set<Connection>();
  const calls: { method: MethodName; input: unknown }[] = [];

  const post = (frame: HostFrame): void => {
    for (const end of ends) end.post(frame);
  };
  const change = (event: WorkbenchEvent): void => {
    benchSeq += 1;
    const envelope = { seq: benchSeq, at: ago(0), event };
    known = reduceWorkbench(known, envelope);
    post({ kind: 'workbench', envelope });
  };
  const sessionOf = (id: string) => sessions.get(id) ?? { seq: 0, state: emptySession };

  const builtIn: FakeHandlers = {
    'workbench.watch': () => ({ seq: benchSeq, state: known }),
    'session.watch': ({ session }) => ({ ...sessionOf(session), draft: '' }),
    'session.unwatch': () => ({}),
    'session.draft': () => ({}),
    'settings.set': ({ settings }) => {
      change({ type: 'settings.changed', settings: { ...known.settings, ...settings } as typeof known.settings });
      return {};
    },
  };

  const answer = (end: Connection, frame: unknown): void => {
    const known = clientFrame.safeParse(frame);
    if (!known.success || known.data.kind !== 'call') return;
    const { id, method, input } = known.data;
    calls.push({ method: method as MethodName, input });
    // The table's type ties input and output together; a frame cannot.
    const handler = (handlers[method as MethodName] ?? builtIn[method as MethodName]) as
      | ((value: unknown) => unknown)
      | undefined;
    const value = handler?.(input);
    end.post(
      value === undefined
        ? { kind: 'refusal', id, error: { code: 'UNAVAILABLE', message: `The fake host has no answer to ${method}.` } }
        : { kind: 'reply', id, ok: true, value },
    );
  };

  return {
    connect() {
      const [client, host] = inMemoryPair();
      ends.add(host);
      host.onFrame((frame) => answer(host, frame));
      host.onClose(() => ends.delete(host));
      return client;
    },
    emit(session, event, at = ago(0)) {
      const before = sessionOf(session);
      const envelope: Envelope = { seq: before.seq + 1, at, session, event };
      const state = reduce(before.state, envelope);
      sessions.set(session, { seq: envelope.seq, state });
      post({ kind: 'event', envelope });
      if (event.type !== 'text.delta' && event.type !== 'tool.output')
        change({ type: 'session.listed', summary: summaryOf(state) });
    },
    change,
    write(channel, bytes) {
      for (const end of ends) end.post(packBytes(channel, bytes));
    },
    calls,
    state: (session) => sessionOf(session).state,
    crash() {
      for (const end of [...ends]) end.close('the engine ended');
    },
  };
}
