import { expect, test } from 'vitest';
import { mutateRoom, patternsOf } from './mutateRoom.ts';

test('a room is changed by its sources and run by its tests, a file by those of its folder', () => {
  const without = ['!**/*.test.ts', '!**/testing/**', '!**/*.d.ts'];
  expect([patternsOf('electron/engine/exec'), patternsOf('shared/model/reduce.ts')]).toEqual([
    { mutate: ['electron/engine/exec/**/*.ts', ...without], tests: 'electron/engine/exec/**/*.test.ts?(x)' },
    { mutate: ['shared/model/reduce.ts', ...without], tests: 'shared/model/**/*.test.ts?(x)' },
  ]);
});

test('a room that is not there ends it with 2', async () => {
  expect([await mutateRoom([]), await mutateRoom(['no-such-room'])]).toEqual([2, 2]);
});
