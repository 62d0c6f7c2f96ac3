import type { Clock } from './base/clock.ts';

/** A person with a console open sends some hundred frames a second (acknowledgements, typing); ten times that is an attack or a loop. */
const framesPerSecond = 5000;
const burst = 20_000;

/** A token bucket: `take` answers false once a client sends more frames than any window does (S4). */
export function createFrameBudget(clock: Clock): { take(): boolean } {
  let tokens = burst;
  let filledAt = clock.now();
  return {
    take() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * framesPerSecond);
      filledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
