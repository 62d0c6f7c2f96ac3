import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposer.ts';

/** Calls `onIdle` once when `touch` was not called for `idleMs`. One timer, not one per touch: touches come per packet. */
export class Watchdog implements Disposable {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #idleMs: number;
  #touchedAt: number;
  #timer: Disposable;

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#touchedAt = clock.monotonicMs();
    this.#timer = this.#arm(idleMs);
  }

  touch(): void {
    this.#touchedAt = this.#clock.monotonicMs();
  }

  /** From now on the patience is shorter. */
  shorten(idleMs: number): void {
    if (idleMs >= this.#idleMs) return;
    this.#idleMs = idleMs;
    this.#timer.dispose();
    this.#timer = this.#arm(idleMs);
  }

  /** Starts again after `onIdle`. */
  rearm(): void {
    this.touch();
    this.#timer = this.#arm(this.#idleMs);
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #left(): number {
    return this.#touchedAt + this.#idleMs - this.#clock.monotonicMs();
  }

  #arm(delayMs: number): Disposable {
    return this.#clock.after(delayMs, () => {
      if (this.#left() > 0) this.#timer = this.#arm(this.#left());
      // After a sleep of the machine the timers come first: what has arrived meanwhile is read before it is missed.
      else
        this.#timer = this.#clock.after(0, () => {
          if (this.#left() > 0) this.#timer = this.#arm(this.#left());
          else this.#onIdle();
        });
    });
  }
}
