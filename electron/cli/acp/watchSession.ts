import type { Client } from '../../../shared/contract/client.ts';
import type { Envelope } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { ok, type Result } from '../../../shared/result.ts';

export interface WatchedSession {
  readonly state: () => SessionState;
  stop(): Promise<void>;
}

/**
 * A session mirrored from its facts, each told once with the state before and after it. Errors: SESSION_NOT_FOUND,
 * UNAVAILABLE (open elsewhere).
 */
export async function watchSession(
  client: Client,
  id: string,
  onFact: (envelope: Envelope, before: SessionState, after: SessionState) => void,
): Promise<Result<WatchedSession>> {
  /** Facts may come before the snapshot that they follow. */
  const early: Envelope[] = [];
  let state: SessionState | undefined;
  let seq = 0;
  const onEvent = (envelope: Envelope): void => {
    if (envelope.session !== id) return;
    if (state === undefined) {
      early.push(envelope);
      return;
    }
    if (envelope.seq <= seq) return;
    const before = state;
    seq = envelope.seq;
    state = reduce(before, envelope);
    onFact(envelope, before, state);
  };
  const forget = client.onEvent(onEvent);
  const watched = await client.call('session.watch', { session: id });
  if (!watched.ok) {
    forget();
    return watched;
  }
  ({ state, seq } = watched.value);
  for (const envelope of early.splice(0)) onEvent(envelope);
  return ok({
    state: () => state ?? emptySession,
    async stop() {
      forget();
      await client.call('session.unwatch', { session: id });
    },
  });
}
