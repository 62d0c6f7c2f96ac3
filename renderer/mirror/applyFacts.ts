import type { Envelope } from '../../shared/model/event.ts';
import { reduce } from '../../shared/model/reduce.ts';
import type { SessionState } from '../../shared/model/sessionState.ts';

/** A session as this window knows it: the engine's state at fact `seq`, and the half-typed message it was opened with. */
export interface MirroredSession {
  readonly seq: number;
  readonly state: SessionState;
  readonly draft: string;
}

export type Applied = { readonly session: MirroredSession; readonly gap: boolean };

/**
 * Applies numbered facts with the engine's own reducer. Known numbers are skipped; at a missing one it stops and says
 * so: the caller then asks for a snapshot.
 */
export function applyFacts(session: MirroredSession, envelopes: readonly Envelope[]): Applied {
  let { seq, state } = session;
  for (const envelope of envelopes) {
    if (envelope.seq <= seq) continue;
    if (envelope.seq > seq + 1) return { session: { ...session, seq, state }, gap: true };
    state = reduce(state, envelope);
    seq = envelope.seq;
  }
  return { session: seq === session.seq ? session : { ...session, seq, state }, gap: false };
}
