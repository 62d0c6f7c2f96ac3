import type { Envelope } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { timelineLength } from '../../../shared/model/timeline.ts';

/**
 * The number of the last fact at which nothing was under way and the timeline was not longer than `items`: a fork never
 * begins in the middle of a turn.
 */
export function lastFactBefore(facts: readonly Envelope[], items: number): number {
  let state = emptySession;
  let kept = facts[0]?.seq ?? 0;
  for (const envelope of facts) {
    state = reduce(state, envelope);
    if (timelineLength(state.items) > items) break;
    if (!state.turn) kept = envelope.seq;
  }
  return kept;
}
