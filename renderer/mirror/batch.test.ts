import { expect, test } from 'vitest';
import { createBatch } from './batch.ts';
import type { Frames } from './restingFrames.ts';

function handFrames(): Frames & { turn(): void } {
  let wanted: (() => void) | undefined;
  return {
    next(run) {
      wanted = run;
      return () => {
        wanted = undefined;
      };
    },
    turn() {
      const run = wanted;
      wanted = undefined;
      run?.();
    },
  };
}

test('what comes within a frame is handed over once and in order', () => {
  const frames = handFrames();
  const taken: (readonly number[])[] = [];
  const batch = createBatch<number>(frames, (entries) => taken.push(entries));
  for (const n of [1, 2, 3]) batch.add(n);
  frames.turn();
  frames.turn();
  batch.add(4);
  frames.turn();
  expect(taken).toEqual([[1, 2, 3], [4]]);
});

test('an entry added while entries are handed over waits for the next frame', () => {
  const frames = handFrames();
  const taken: (readonly number[])[] = [];
  const batch = createBatch<number>(frames, (entries) => {
    taken.push(entries);
    if (entries[0] === 1) batch.add(2);
  });
  batch.add(1);
  frames.turn();
  expect(taken).toEqual([[1]]);
  frames.turn();
  expect(taken).toEqual([[1], [2]]);
});

test('after disposal nothing is handed over', () => {
  const frames = handFrames();
  const taken: (readonly number[])[] = [];
  const batch = createBatch<number>(frames, (entries) => taken.push(entries));
  batch.add(1);
  batch.dispose();
  frames.turn();
  expect(taken).toEqual([]);
});
