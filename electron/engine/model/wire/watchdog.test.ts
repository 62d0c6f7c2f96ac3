import { expect, test } from 'vitest';
import { ManualClock } from '../../testing/manualClock.ts';
import { Watchdog } from './watchdog.ts';

test('what has arrived while the machine slept is read before the silence counts', () => {
  const clock = new ManualClock();
  let idle = 0;
  const dog = new Watchdog(clock, 1_000, () => {
    idle += 1;
  });
  // Both are due when the machine wakes; timers come before what has arrived.
  clock.after(1_000, () => dog.touch());
  clock.advance(1_500);
  expect(idle).toBe(0);
  clock.advance(499);
  expect(idle).toBe(0);
  clock.advance(1);
  expect(idle).toBe(1);
  dog.dispose();
});

test('a clock that somebody sets neither ends a wait nor prolongs it', () => {
  for (const setTo of [0, 2_000_000_000_000]) {
    const clock = new ManualClock();
    let idle = 0;
    const dog = new Watchdog(clock, 1_000, () => {
      idle += 1;
    });
    clock.set(setTo);
    dog.touch();
    clock.advance(999);
    expect(idle).toBe(0);
    clock.advance(1);
    expect(idle).toBe(1);
    dog.dispose();
  }
});
