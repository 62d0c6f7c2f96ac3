import type { Envelope } from '../../shared/model/event.ts';
import {
  reduceWorkbench,
  type WorkbenchEnvelope,
  type WorkbenchEvent,
  type WorkbenchState,
} from '../../shared/model/workbench.ts';
import { type Clock, isoTime } from './base/clock.ts';
import type { Disposable } from './base/disposer.ts';
import { createEmitter, type Emitter } from './base/emitter.ts';
import type { Log } from './base/log.ts';

/** Hands every published fact to those who watch its session, in order. Numbers come from the sessions themselves. */
export interface Hub {
  publish(envelope: Envelope): void;
  watch(session: string, listen: (envelope: Envelope) => void): Disposable;
  isWatched(session: string): boolean;
  /** All sessions, for the command line's stream and for tests. */
  watchAll(listen: (envelope: Envelope) => void): Disposable;
}

export function createHub(log: Log): Hub {
  const onError = (error: unknown): void => log.warn('a listener of the hub failed', error);
  const all = createEmitter<Envelope>(onError);
  const sessions = new Map<string, Emitter<Envelope>>();
  return {
    publish(envelope) {
      sessions.get(envelope.session)?.emit(envelope);
      all.emit(envelope);
    },
    watch(session, listen) {
      const emitter = sessions.get(session) ?? createEmitter<Envelope>(onError);
      sessions.set(session, emitter);
      const listening = emitter.on(listen);
      return {
        dispose() {
          listening.dispose();
          if (emitter.size === 0) sessions.delete(session);
        },
      };
    },
    isWatched: (session) => sessions.has(session),
    watchAll: (listen) => all.on(listen),
  };
}

/** The facts beside the sessions: projects, the session list, settings, providers. Not journaled: each is kept elsewhere. */
export interface Workbench {
  readonly state: WorkbenchState;
  readonly seq: number;
  emit(event: WorkbenchEvent): void;
  watch(listen: (envelope: WorkbenchEnvelope) => void): Disposable;
}

export function createWorkbench(start: WorkbenchState, clock: Clock, log: Log): Workbench {
  const listeners = createEmitter<WorkbenchEnvelope>((error) => log.warn('a listener of the workbench failed', error));
  let state = start;
  let seq = 0;
  return {
    get state() {
      return state;
    },
    get seq() {
      return seq;
    },
    emit(event) {
      seq += 1;
      const envelope = { seq, at: isoTime(clock), event };
      state = reduceWorkbench(state, envelope);
      listeners.emit(envelope);
    },
    watch: (listen) => listeners.on(listen),
  };
}
