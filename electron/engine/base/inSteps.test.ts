import { expect, test } from 'vitest';
import { inSteps } from './inSteps.ts';

test('long work in steps lets others have their turn, short work goes on at once', async () => {
  const pause = inSteps();
  expect(pause()).toBe(undefined);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 1);
  const end = performance.now() + 50;
  while (performance.now() < end) await pause();
  clearInterval(count);
  expect(turns).toBeGreaterThan(2);
});
