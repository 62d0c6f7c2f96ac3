import type { ModelEvent } from '../base/port.ts';

/** Above this many waiting events the producer is asked to pause (a consumer that is busy, not a limit of a reply). */
const pauseAbove = 512;

/**
 * Between a producer that pushes and a consumer that awaits. Neighbouring text is joined while it waits, so a slow
 * consumer gets fewer, larger pieces. Closing by the consumer (`break` in its loop) before the last event calls `onClose`.
 */
export class EventQueue implements AsyncIterableIterator<ModelEvent> {
  #events: ModelEvent[] = [];
  #read = 0;
  #ended = false;
  #take: ((result: IteratorResult<ModelEvent>) => void) | undefined;
  #resume: (() => void) | undefined;
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(event: ModelEvent): void {
    if (this.#ended) return;
    if (this.#take) {
      const take = this.#take;
      this.#take = undefined;
      take({ value: event, done: false });
      return;
    }
    const last = this.#events.length > this.#read ? this.#events.at(-1) : undefined;
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) {
      this.#events[this.#events.length - 1] = { type: event.type, text: last.text + event.text };
    } else if (event.type === 'callDelta' && last?.type === 'callDelta') {
      this.#events[this.#events.length - 1] = event;
    } else this.#events.push(event);
  }

  /** The last event; nothing is accepted after it. */
  end(event: ModelEvent): void {
    this.push(event);
    this.#ended = true;
  }

  /** Drops what waits and ends at once: a cancelled request is answered without delay. */
  endNow(event: ModelEvent): void {
    if (this.#ended) return;
    this.#events = [];
    this.#read = 0;
    this.end(event);
  }

  /** True when the producer should wait; `resume` is called once when the consumer has caught up. */
  full(resume: () => void): boolean {
    if (this.#events.length - this.#read <= pauseAbove) return false;
    this.#resume = resume;
    return true;
  }

  next(): Promise<IteratorResult<ModelEvent>> {
    const event = this.#events[this.#read];
    if (event) {
      this.#read += 1;
      if (this.#read === this.#events.length) {
        this.#events = [];
        this.#read = 0;
        this.#resume?.();
        this.#resume = undefined;
      }
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#take = resolve;
    });
  }

  return(): Promise<IteratorResult<ModelEvent>> {
    this.#events = [];
    this.#read = 0;
    // After the last event there is nothing left to stop; what ends by itself (the tail of a body) may do so.
    if (!this.#ended) this.#onClose();
    this.#ended = true;
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
