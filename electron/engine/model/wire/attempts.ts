import { type Clock, wait } from '../../base/clock.ts';
import { type AskedProvider, advised } from '../base/causes.ts';
import type { Fault } from '../base/fault.ts';
import type { ModelEvent } from '../base/port.ts';
import { EventQueue } from './eventQueue.ts';

/** A server that asks for a longer wait gets its answer shown instead: nobody watches a countdown of an hour. */
const maxWaitMs = 5 * 60_000;
const firstWaitMs = 1_000;

/** Starts `run` at once and gives its events; a cancelled signal answers without waiting for it. */
export function startStream(
  signal: AbortSignal,
  run: (queue: EventQueue, signal: AbortSignal) => Promise<void>,
): AsyncIterable<ModelEvent> {
  const stop = new AbortController();
  const queue = new EventQueue(() => stop.abort());
  const cancel = () => {
    queue.endNow({ type: 'failed', error: { code: 'CANCELLED', message: 'The request was cancelled.' } });
    stop.abort();
  };
  if (signal.aborted) {
    cancel();
    return queue;
  }
  signal.addEventListener('abort', cancel, { once: true });
  void run(queue, stop.signal)
    .catch((bug: unknown) => {
      const message = `The model client failed: ${bug instanceof Error ? bug.message : String(bug)}`;
      queue.endNow({ type: 'failed', error: { code: 'INTERNAL', message } });
    })
    .finally(() => signal.removeEventListener('abort', cancel));
  return queue;
}

export interface Attempts {
  /** For what the person is told when it fails. */
  readonly asked: AskedProvider;
  readonly queue: EventQueue;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** How often a request that failed is sent again. */
  readonly retries: number;
  /** 0 to 1, spreads the waiting of several sessions. */
  readonly random: () => number;
  /** One request: emits a whole reply, or says why not. */
  readonly attempt: (emit: (event: ModelEvent) => void) => Promise<Fault | undefined>;
  /** May change the next request because of a fault: `again` sends it at once, uncounted. */
  readonly learn?: (fault: Fault) => 'again' | Fault | undefined;
}

/**
 * Sends a request until a reply is whole. Nothing of a reply was executed before it is whole, so each attempt may start
 * from the beginning; `restart` tells the consumer to drop what it has seen.
 */
export async function runAttempts({
  asked: whom,
  queue,
  signal,
  clock,
  retries,
  random,
  attempt,
  learn,
}: Attempts): Promise<void> {
  let staleTries = 1;
  for (let count = 1; ; ) {
    let partial = false;
    const failed = await attempt((event) => {
      if (event.type === 'finish') queue.end(event);
      else {
        partial = true;
        queue.push(event);
      }
    });
    if (!failed || signal.aborted) return;
    const lesson = learn?.(failed);
    if (lesson === 'again') continue;
    const { failure, waitMs: asked, cause } = lesson ?? failed;
    // A kept connection that the server had closed meanwhile tells nothing about the server.
    if (failed.stale && staleTries > 0) {
      staleTries -= 1;
      continue;
    }
    // A server that was there a moment ago is worth trying again although it refuses connections now: it restarts.
    const again = !lesson && (failed.again || (count > 1 && failure.code === 'PROVIDER_UNREACHABLE'));
    if (!again || count > retries) return queue.end({ type: 'failed', error: advised(failure, cause, whom) });
    // 1 s, 2 s, 4 s … with up to a fifth more, so that several sessions do not come back together.
    const waitMs = asked ?? Math.round(firstWaitMs * 2 ** (count - 1) * (1 + random() / 5));
    if (waitMs > maxWaitMs) {
      const message = `${failure.message} (the provider asks to wait ${Math.ceil(waitMs / 1_000)} s)`;
      return queue.end({ type: 'failed', error: advised({ ...failure, message }, cause, whom) });
    }
    count += 1;
    if (partial) queue.push({ type: 'restart' });
    queue.push({ type: 'retry', attempt: count, attempts: retries + 1, waitMs, why: failure.message });
    if (!(await wait(clock, waitMs, signal))) return;
  }
}
