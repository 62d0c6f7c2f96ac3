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
    this.#touchedAt = clock.now();
    this.#timer = this.#arm(idleMs);
  }

  touch(): void {
    this.#touchedAt = this.#clock.now();
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

  #arm(delayMs: number): Disposable {
    return this.#clock.after(delayMs, () => {
      const left = this.#touchedAt + this.#idleMs - this.#clock.now();
      if (left > 0) this.#timer = this.#arm(left);
      else this.#onIdle();
    });
  }
}
