import { expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { PortWatch, type ProcessLook } from './portWatch.ts';
import type { TaskBoard } from './taskBoard.ts';
import type { TaskRecord } from './taskRecord.ts';
import { testBoard, testRecord } from './testing/testRecord.ts';

interface Watched {
  readonly board: TaskBoard;
  readonly record: TaskRecord;
  readonly told: string[];
  readonly looks: Deferred<ProcessLook>[];
  /** Answers the look that is under way, and lets it be dealt with. */
  see(pids: readonly number[], ports: readonly number[]): Promise<void>;
  /** Lets the time of a look come. */
  pass(): void;
}

/** A watch over one task with pid 5, whose looks are answered by the test. */
function watch(state: 'running' | 'completed', survivors?: readonly number[]): Watched {
  const clock = new ManualClock();
  const board = testBoard(clock);
  const record = testRecord({ state, pid: 5, ...(survivors === undefined ? {} : { survivors: [...survivors] }) });
  board.add(record);
  const told: string[] = [];
  board.on(({ type }) => told.push(type));
  const looks: Deferred<ProcessLook>[] = [];
  const ports = new PortWatch(clock, board, () => {
    const look = createDeferred<ProcessLook>();
    looks.push(look);
    return look.promise;
  });
  ports.wake();
  const pass = (): void => clock.advance(2_000);
  pass();
  const see = async (pids: readonly number[], open: readonly number[]): Promise<void> => {
    const look = looks.at(-1);
    look?.resolve({ processes: new Map([[record.task.id, pids]]), ports: new Map([[pids[0] ?? 0, open]]) });
    await look?.promise;
    await Promise.resolve();
  };
  return { board, record, told, looks, see, pass };
}

test('ports of a running task are told once', async () => {
  const { record, told, see, pass } = watch('running');
  await see([5], [8080]);
  pass();
  await see([5], [8080]);
  expect([record.task.ports, record.task.survivors, told]).toEqual([[8080], undefined, ['changed']]);
});

test('a look that straddles the end of its task leaves the task as it ended', async () => {
  const { board, record, told, see } = watch('running');
  board.set(record, { state: 'cancelled' });
  await see([5, 6], [8080]);
  expect([record.task.ports, record.task.survivors, told]).toEqual([undefined, undefined, []]);
});

test('what outlived its command is followed until it is gone', async () => {
  const { record, told, looks, see, pass } = watch('completed', [7, 8]);
  await see([8], []);
  pass();
  await see([], []);
  pass();
  expect([record.task.survivors, told, looks.length]).toEqual([[], ['changed', 'changed'], 2]);
});

test('a look that straddles the end of the survivors does not bring them back', async () => {
  const { board, record, told, see } = watch('completed', [7]);
  board.set(record, { survivors: [] });
  await see([7], []);
  expect([record.task.survivors, told]).toEqual([[], []]);
});

test('a look at a task that was forgotten in the meantime says nothing', async () => {
  const { board, record, told, see } = watch('running');
  board.remove(record);
  await see([5], [8080]);
  expect(told).toEqual(['removed']);
});
