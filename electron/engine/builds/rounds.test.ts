import { expect, test } from 'vitest';
import { createRounds } from './rounds.ts';

/** What a watcher prints, in its own words, and how it ended. */
const watchers: readonly (readonly [string, string, boolean])[] = [
  [
    'tsc',
    '12:00:00 - File change detected. Starting incremental compilation...\nx\n12:00:01 - Found 1 error. Watching for file changes.',
    true,
  ],
  ['vitest', ' RERUN  src/a.ts x1 \nx\n FAIL  Tests failed. Watching for file changes...', true],
  ['jest', 'Determining test suites to run...\nx\nRan all test suites.', false],
  ['webpack', 'x\nwebpack 5.90.0 compiled with 1 error in 5 ms', true],
  ['Next.js', ' ○ Compiling / ...\nx\n ✓ Compiled / in 300ms', false],
  ['Angular', 'Changes detected. Rebuilding...\nx\nApplication bundle generation failed. [0.3 seconds]', true],
  ['esbuild', '[watch] build started (change: "a.ts")\nx\n[watch] build finished', false],
  ['rollup', 'bundles a.js → dist/a.js...\nx\ncreated dist/a.js in 20ms', false],
  [
    'nodemon',
    '[nodemon] restarting due to changes...\nx\n[nodemon] app crashed - waiting for file changes before starting...',
    true,
  ],
  [
    'node',
    "Restarting 'server.mjs'\nx\nFailed running 'server.mjs'. Waiting for file changes before restarting...",
    true,
  ],
  ['cargo', "[Running 'cargo check']\nx\n[Finished running. Exit status: 101]", true],
];

test.each(watchers)('a round of %s is what it prints between its own words', (_name, printed, isBad) => {
  const rounds = createRounds();
  const over = rounds.write(`old\n${printed}\n`, 5);
  expect(over).toEqual([{ text: expect.stringMatching(/(?:^|\n)x\n/), startedMs: 5, kind: 'ended', isBad }]);
  expect(rounds.settle()).toBeUndefined();
});

test('what comes in pieces is one round, and one that is under way is not judged', () => {
  const rounds = createRounds();
  expect(rounds.write('File change detected. Starting incremental compi', 1)).toEqual([]);
  expect(rounds.write('lation...\na.ts(1,1): error TS1: x\n', 2)).toEqual([]);
  expect(rounds.settle()).toBeUndefined();
  expect(rounds.write('Found 1 error. Watching for file changes.\n', 3)).toMatchObject([
    { kind: 'ended', isBad: true },
  ]);
});

test('a watcher that names no end is judged when it has fallen silent; what belongs to no round is a burst', () => {
  const rounds = createRounds();
  rounds.write('[vite] hmr update /src/a.ts\n', 1);
  expect(rounds.settle()).toMatchObject({ kind: 'ended' });
  rounds.write('GET / 200\n', 2);
  expect(rounds.settle()).toMatchObject({ kind: 'burst', text: 'GET / 200' });
});

test('of a flood its end is kept', () => {
  const rounds = createRounds();
  rounds.write(`first\n${'x'.repeat(1000)}\n`.repeat(1000), 1);
  rounds.write('last\n', 2);
  const text = rounds.settle()?.text ?? '';
  expect(text.length).toBeLessThan(66_000);
  expect(text.endsWith('last')).toBe(true);
});
