import { createDeferred, type Deferred } from '../base/deferred.ts';

/**
 * Which questions of a session stand at their gate. After a restart the window shows a question at once, from the
 * journal, while the turn is still on its way back to it: an answer given in between waits for its arrival.
 */
export interface Arrivals {
  arrive(call: string): void;
  /** The call has ended, asked or not. */
  end(call: string): void;
  /** Resolves when the call stands at the gate or has ended. Only for calls that have not ended yet. */
  wait(call: string): Promise<void>;
  /** These calls, in the order of the reply, are about to be allowed by one answer. */
  joinAnswers(calls: readonly string[]): void;
  /** The calls that are allowed by the same answer as this one, itself among them; nothing when it is answered alone. */
  joinedWith(call: string): readonly string[] | undefined;
}

export function createArrivals(): Arrivals {
  const known = new Map<string, Deferred<void>>();
  const joined = new Map<string, readonly string[]>();
  const of = (call: string): Deferred<void> => {
    const deferred = known.get(call) ?? createDeferred<void>();
    known.set(call, deferred);
    return deferred;
  };
  return {
    arrive: (call) => of(call).resolve(),
    end(call) {
      known.get(call)?.resolve();
      known.delete(call);
      joined.delete(call);
    },
    wait: (call) => of(call).promise,
    joinAnswers(calls) {
      for (const call of calls) joined.set(call, calls);
    },
    joinedWith: (call) => joined.get(call),
  };
}
