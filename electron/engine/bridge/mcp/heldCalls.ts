import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createDeferred, type Deferred } from '../../base/deferred.ts';
import type { Disposable } from '../../base/disposer.ts';
import type { CallAnswer, CallOptions, Consent } from './serverPort.ts';

/** What a call is at: done, or at a question. */
export type CallStep =
  | { readonly kind: 'done'; readonly answer: CallAnswer }
  | { readonly kind: 'question'; readonly question: string; readonly ticket: string };

interface Held {
  readonly tool: string;
  readonly stop: AbortController;
  readonly done: Promise<CallAnswer>;
  asked: Deferred<string>;
  answered: Deferred<Consent>;
  progress: (text: string) => void;
  timer?: Disposable;
}

export interface Round {
  readonly signal: AbortSignal;
  /** What the client calls itself. */
  readonly client: string;
  readonly canAsk: boolean;
  onProgress(text: string): void;
}

/** A question that nobody answers is a refusal after this long. */
const maxWaitMs = 10 * 60_000;
/** More questions than a person answers: the next one is told that nobody can be asked. */
const maxWaiting = 50;

/**
 * Calls that wait for an answer of the client. In the newer protocol a question ends the request and the answer comes
 * with a second one, while the call itself goes on here. The ticket that joins the two is random and good for one use, so
 * that no client can answer for another call.
 */
export class HeldCalls {
  readonly #waiting = new Map<string, Held>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(tool: string, run: (options: CallOptions) => Promise<CallAnswer>, round: Round): Promise<CallStep> {
    const stop = new AbortController();
    const held: Held = {
      tool,
      stop,
      asked: createDeferred<string>(),
      answered: createDeferred<Consent>(),
      progress: (text) => round.onProgress(text),
      done: Promise.resolve().then(() =>
        run({
          signal: stop.signal,
          client: round.client,
          onProgress: (text) => held.progress(text),
          ask: (question) => {
            if (!round.canAsk || this.#waiting.size >= maxWaiting) return Promise.resolve('unavailable');
            held.asked.resolve(question);
            return held.answered.promise;
          },
        }),
      ),
    };
    held.done.catch(() => undefined); // awaited by whoever holds the request
    return this.#step(held, round);
  }

  /** Undefined for a ticket that is not known (any more) or belongs to another tool. */
  resume(ticket: string, tool: string, consent: Consent, round: Round): Promise<CallStep> | undefined {
    const held = this.#waiting.get(ticket);
    if (held === undefined || held.tool !== tool) return undefined;
    this.#waiting.delete(ticket);
    held.timer?.dispose();
    held.progress = (text) => round.onProgress(text);
    const { answered } = held;
    held.asked = createDeferred<string>();
    held.answered = createDeferred<Consent>();
    answered.resolve(consent);
    return this.#step(held, round);
  }

  /** Ends all calls that wait. */
  dispose(): void {
    for (const held of this.#waiting.values()) {
      held.timer?.dispose();
      held.answered.resolve('deny');
      held.stop.abort();
    }
    this.#waiting.clear();
  }

  async #step(held: Held, round: Round): Promise<CallStep> {
    const abort = (): void => held.stop.abort();
    round.signal.addEventListener('abort', abort, { once: true });
    if (round.signal.aborted) abort();
    try {
      return await Promise.race([
        held.done.then((answer): CallStep => ({ kind: 'done', answer })),
        held.asked.promise.then((question): CallStep => ({ kind: 'question', question, ticket: this.#hold(held) })),
      ]);
    } finally {
      round.signal.removeEventListener('abort', abort);
    }
  }

  #hold(held: Held): string {
    const ticket = randomBytes(24).toString('base64url');
    this.#waiting.set(ticket, held);
    held.progress = () => undefined; // between two requests there is nobody to tell
    held.timer = this.#clock.after(maxWaitMs, () => {
      this.#waiting.delete(ticket);
      held.answered.resolve('deny');
    });
    return ticket;
  }
}
