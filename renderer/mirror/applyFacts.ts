import type { Envelope } from '../../shared/model/event.ts';
import { reduce } from '../../shared/model/reduce.ts';
import type { SessionState } from '../../shared/model/sessionState.ts';
import { chunkOf } from '../../shared/model/timeline.ts';

/** A session as this window knows it: the engine's state at fact `seq`, and the half-typed message it was opened with. */
export interface MirroredSession {
  readonly seq: number;
  readonly state: SessionState;
  readonly draft: string;
}

export type Applied = { readonly session: MirroredSession; readonly gap: boolean };

/**
 * Applies numbered facts with the engine's own reducer. Known numbers are skipped; at a missing one, and at a
 * rewind to what was left out, it stops and says so: the caller then asks for a snapshot.
 */
export function applyFacts(session: MirroredSession, envelopes: readonly Envelope[]): Applied {
  let { seq, state } = session;
  for (const envelope of envelopes) {
    if (envelope.seq <= seq) continue;
    if (envelope.seq > seq + 1 || endsInGap(state, envelope)) return { session: { ...session, seq, state }, gap: true };
    state = reduce(state, envelope);
    seq = envelope.seq;
  }
  return { session: seq === session.seq ? session : { ...session, seq, state }, gap: false };
}

/** A rewind to where the window has left the conversation out: what then is its end must be there. */
function endsInGap({ items }: SessionState, { event }: Envelope): boolean {
  if (event.type !== 'session.rewound' || !event.talk || event.talk.items === 0) return false;
  return items[chunkOf(event.talk.items - 1)]?.length === 0;
}
