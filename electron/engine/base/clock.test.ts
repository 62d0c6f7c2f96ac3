import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { wait } from './clock.ts';

describe('wait', () => {
  test('ends with true when the time has passed', async () => {
    const clock = new ManualClock();
    const ended = wait(clock, 1_000);
    clock.advance(1_000);
    expect(await ended).toBe(true);
  });

  test('ends with false at once when the signal aborts, and leaves no timer', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const ended = wait(clock, 1_000, stop.signal);
    stop.abort();
    expect([await ended, clock.waiting]).toEqual([false, 0]);
  });

  test('does not start when the signal was aborted before', async () => {
    const clock = new ManualClock();
    expect([await wait(clock, 1_000, AbortSignal.abort()), clock.waiting]).toEqual([false, 0]);
  });
});
