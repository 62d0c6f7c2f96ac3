import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Envelope, ephemeral, type SessionEvent } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { writeFileAtomic } from '../base/atomicFile.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { Journal } from './journal.ts';
import type { SessionAt } from './snapshot.ts';

/** Streamed text is published at most this often: one frame of a screen, so that no token costs a message of its own. */
const deltaIntervalMs = 16;

/** One conversation: its state, its journal, its numbers. The only writer of its facts. */
export interface Session extends Disposable {
  readonly id: string;
  /** Its folder below the state folder: journal, contents, task logs, draft. */
  readonly folder: string;
  readonly state: SessionState;
  readonly seq: number;
  /** With its place in the journal; nothing while a turn or a call is under way, or when a fact is not in the journal. */
  readonly at: SessionAt | undefined;
  /** `reduce`, journal, publish, in this order of visibility. Throws only when the journal cannot be written. */
  emit(event: SessionEvent): void;
  /** Facts that belong together: a crash leaves all of them in the journal or none. None of them may be ephemeral. */
  emitTogether(events: readonly SessionEvent[]): void;
  /** Published and reduced, but not journaled although it is a fact: for when the journal itself fails. */
  announce(event: SessionEvent): void;
  /** Resolves when what the person said and what touched the project is on the disk. Rejects with the system's error. */
  durable(): Promise<void>;
  /** No fact after this one: the engine is closing, and what is under way is to be found again as it stands. */
  freeze(): void;
  /** The half-typed message. */
  readonly draft: string;
  setDraft(text: string): void;
}

export interface SessionParts {
  readonly id: string;
  readonly folder: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly publish: (envelope: Envelope, state: SessionState) => void;
}

export function createSession(
  parts: SessionParts,
  past: Pick<SessionAt, 'state' | 'seq'> = { state: emptySession, seq: 0 },
): Session {
  const { id, folder, journal, clock } = parts;
  let { state, seq } = past;
  let isAllKept = true;
  let draft: string | undefined;
  let held: { type: 'text.delta' | 'reasoning.delta'; turn: string; text: string } | undefined;
  let timer: Disposable | undefined;
  let frozen = false;

  const record = (events: readonly SessionEvent[], journaled: boolean): void => {
    if (frozen || events.length === 0) return;
    const at = isoTime(clock);
    const envelopes = events.map((event, index): Envelope => ({ seq: seq + 1 + index, at, session: id, event }));
    if (journaled) journal.append(envelopes);
    seq += envelopes.length;
    state = envelopes.reduce(reduce, state);
    for (const envelope of envelopes) parts.publish(envelope, state);
  };

  const flush = (): void => {
    timer?.dispose();
    timer = undefined;
    const delta = held;
    held = undefined;
    if (delta) record([delta], false);
  };

  const hold = (event: { type: 'text.delta' | 'reasoning.delta'; turn: string; text: string }): void => {
    if (held && (held.type !== event.type || held.turn !== event.turn)) flush();
    if (held) held.text += event.text;
    else held = { ...event };
    timer ??= clock.after(deltaIntervalMs, flush);
  };

  return {
    id,
    folder,
    get state() {
      return state;
    },
    get seq() {
      return seq;
    },
    get at() {
      const isResting = state.turn === null && Object.keys(state.liveCalls).length === 0;
      // What builds say is read anew from those that still run.
      return isResting && isAllKept
        ? { state: { ...state, builds: {} }, seq, wholeBytes: journal.sizeBytes }
        : undefined;
    },
    emit(event) {
      if (event.type === 'text.delta' || event.type === 'reasoning.delta') return hold(event);
      flush();
      record([event], !ephemeral.has(event.type));
    },
    emitTogether(events) {
      flush();
      record(events, true);
    },
    announce(event) {
      flush();
      isAllKept = false;
      record([event], false);
    },
    durable: () => journal.durable(),
    freeze() {
      frozen = true;
    },
    get draft() {
      draft ??= readDraft(folder);
      return draft;
    },
    setDraft(text) {
      draft ??= readDraft(folder);
      if (text === draft) return;
      writeFileAtomic(join(folder, 'draft'), text, { isSynced: false });
      draft = text;
    },
    dispose() {
      timer?.dispose();
      held = undefined;
      journal.close();
    },
  };
}

export function replay(envelopes: readonly Envelope[]): SessionState {
  return envelopes.reduce<SessionState>((state, fact) => {
    try {
      return reduce(state, fact);
    } catch {
      return state; // a fact of the right shape that does not fit what came before it: one of a damaged journal
    }
  }, emptySession);
}

function readDraft(folder: string): string {
  try {
    return readFileSync(join(folder, 'draft'), 'utf8');
  } catch {
    return '';
  }
}
