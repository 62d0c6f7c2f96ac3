import type { Clock } from '../base/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only when a test says so. */
export class ManualClock implements Clock {
  /** Of the clock that nobody sets. */
  #now: number;
  #setBy = 0;
  readonly #timers = new Set<Timer>();
  #watchers: (() => void)[] = [];

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  get waiting(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  monotonicMs(): number {
    return this.#now;
  }

  /** Somebody sets the clock of the machine; timers do not care. */
  set(ms: number): void {
    this.#setBy = ms - this.#now;
  }

  after(delayMs: number, run: () => void): { dispose(): void } {
    const timer: Timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    for (const watcher of this.#watchers.splice(0)) watcher();
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Moves on by `ms`, running what becomes due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }

  /** Resolves when the next timer is set, or at once while one waits. */
  async timerSet(): Promise<void> {
    if (this.#timers.size > 0) return;
    await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }
}
