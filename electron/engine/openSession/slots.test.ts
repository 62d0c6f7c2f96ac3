import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('so many places are taken at once; the next in the line gets the one that is given back, and who leaves the line gets none', async () => {
  const slots = createSlots();
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const first = await slots.take('a', 1, signal);
  const entered: string[] = [];
  const left = slots.take('a', 1, leaving.signal).then((slot) => entered.push(slot ? 'left in' : 'left out'));
  const second = slots.take('a', 1, signal).then((slot) => {
    entered.push('second');
    return slot;
  });
  expect(await slots.take('b', 1, signal)).toBeDefined();
  leaving.abort();
  await left;
  first?.dispose();
  first?.dispose(); // a second time gives nothing back
  const third = slots.take('a', 1, signal);
  const taken = await second;
  expect(entered).toEqual(['left out', 'second']);
  taken?.dispose();
  expect(await third).toBeDefined();
});
