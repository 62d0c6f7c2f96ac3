import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { testBoard, testRecord } from './testing/testRecord.ts';

const endedAt = '2026-01-01T00:00:00.000Z';
const hourMs = 3_600_000;

describe('final tasks', () => {
  test('are kept 200 at most of those that were in the background, whatever was waited for in between', () => {
    const board = testBoard(new ManualClock(Date.parse(endedAt)));
    const add = (id: string, background: 'explicit' | undefined): void => {
      const { task, ...rest } = testRecord({ id, state: 'completed', endedAt });
      const { background: _, ...plain } = task;
      board.add({ ...rest, task: background === undefined ? plain : { ...plain, background } });
    };
    for (let i = 0; i < 201; i += 1) {
      add(`background ${i}`, 'explicit');
      add(`waited for ${i}`, undefined);
      add(`waited for again ${i}`, undefined);
    }
    board.purge();
    const kept = board.all().map(({ task }) => task.id);
    expect([kept.filter((id) => id.startsWith('background')).length, kept.includes('background 0')]).toEqual([
      200,
      false,
    ]);
    expect(kept.filter((id) => id.startsWith('waited')).length).toBe(200);
  });

  test('are kept for an hour, and longer while something they left still runs', () => {
    const clock = new ManualClock(Date.parse(endedAt));
    const board = testBoard(clock);
    board.add(testRecord({ id: 'old', state: 'completed', endedAt }));
    board.add(testRecord({ id: 'left something', state: 'completed', endedAt, survivors: [7] }));
    board.add(testRecord({ id: 'runs', state: 'running' }));
    const kept = (): readonly string[] => {
      board.purge();
      return board.all().map(({ task }) => task.id);
    };
    clock.advance(hourMs);
    expect(kept()).toEqual(['old', 'left something', 'runs']);
    clock.advance(1);
    expect(kept()).toEqual(['left something', 'runs']);
  });
});
