import type { SessionEvent } from '../../../shared/model/event.ts';
import type { Phase, PhaseFacts } from '../../../shared/model/phase.ts';

/** What follows from a fact: events to emit, and words for the model. */
export interface Move {
  readonly events: readonly SessionEvent[];
  /** Set when the phase changed: the rest of the reply is checked against the new one. */
  readonly to?: Phase;
}

export const stay: Move = { events: [] };

/** The move to a phase, behind the facts that led to it. */
export function move(facts: PhaseFacts, to: Phase, cause: string, before: readonly SessionEvent[]): Move {
  return { to, events: [...before, { type: 'phase.changed', from: facts.phase, to, cause }] };
}
