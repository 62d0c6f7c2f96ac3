import type { Envelope } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { timelineLength } from '../../../shared/model/timeline.ts';

/** A session as it was at a fact of its journal. */
export interface PastSession {
  readonly seq: number;
  readonly state: SessionState;
}

/**
 * The last fact at which the timeline was not longer than `items`, as it is now: what a rewind has dropped is passed over.
 * `resting`: the last of them at which no turn ran.
 */
export function pointBefore(facts: readonly Envelope[], items: number, resting = false): PastSession {
  let state = emptySession;
  let isPast = false;
  let found: PastSession = { seq: facts[0]?.seq ?? 0, state };
  for (const envelope of facts) {
    state = reduce(state, envelope);
    const { event } = envelope;
    if (event.type === 'session.rewound' && event.talk && event.talk.items <= items) isPast = false;
    if (timelineLength(state.items) > items) isPast = true;
    else if (!isPast && !(resting && state.turn)) found = { seq: envelope.seq, state };
  }
  return found;
}

/** The session right before a fact; undefined where there is none such. */
export function stateBefore(facts: readonly Envelope[], isIt: (fact: Envelope) => boolean): PastSession | undefined {
  const at = facts.findIndex(isIt);
  return at < 1 ? undefined : { seq: facts[at - 1]?.seq ?? 0, state: facts.slice(0, at).reduce(reduce, emptySession) };
}

export const isRewind =
  (id: string) =>
  ({ event }: Envelope): boolean =>
    event.type === 'session.rewound' && event.rewind === id;
