import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { collectAll, collectAtRest } from './collectAtRest.ts';

function watch() {
  const clock = new ManualClock();
  const host = { usedMs: 500, collected: 0 };
  const collecting = collectAtRest({ clock, usedMs: () => host.usedMs, collect: () => (host.collected += 1) });
  return { clock, host, collecting };
}

test('a host that has worked gives its garbage back when it rests, once', () => {
  const { clock, host } = watch();
  clock.advance(180_000);
  expect(host.collected).toBe(0); // it has done nothing yet
  host.usedMs += 30_000;
  clock.advance(60_000);
  expect(host.collected).toBe(0); // it worked a moment ago
  host.usedMs += 300; // what keeps its connections
  clock.advance(60_000);
  expect(host.collected).toBe(1);
  host.usedMs += 900;
  clock.advance(600_000);
  expect(host.collected).toBe(1);
});

test('a host that ends looks no more', () => {
  const { clock, collecting } = watch();
  collecting.dispose();
  expect(clock.waiting).toBe(0);
});

test('the collection takes away what nobody holds', async () => {
  const gone = new WeakRef({ big: Array.from({ length: 100_000 }, () => 1) });
  await new Promise((resolve) => setImmediate(resolve)); // what was just made is held to the end of its job
  await collectAll();
  expect(gone.deref()).toBe(undefined);
});
