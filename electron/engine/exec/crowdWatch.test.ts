import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { CrowdWatch } from './crowdWatch.ts';
import { testBoard, testRecord } from './testing/testRecord.ts';

/** A watch with a limit of 100 over one task, on a machine of so many threads; the task has so many processes. */
function watch(machine: () => number | undefined, processes: () => number) {
  const clock = new ManualClock();
  const board = testBoard(clock);
  const record = testRecord({ state: 'running', pid: 5 });
  board.add(record);
  const told: string[] = [];
  let looks = 0;
  const crowd = new CrowdWatch({
    clock,
    board,
    limit: 100,
    count: machine,
    find: async () => {
      looks += 1;
      return new Map([[record.task.id, Array.from({ length: processes() }, (_, at) => at + 5)]]);
    },
    stop: (_, why) => told.push(why),
  });
  const pass = async (): Promise<void> => {
    clock.advance(500);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { board, record, told, crowd, pass, clock, looks: () => looks };
}

test('J5: a command that goes beyond its processes is ended with the reason, and the processes of others are not its own', async () => {
  let threads = 80;
  let own = 3;
  const { board, record, told, pass, looks } = watch(
    () => threads,
    () => own,
  );
  board.tell('started', record);
  await pass();
  expect(looks()).toBe(0); // nothing has grown, so nothing is looked at
  threads = 900;
  await pass();
  expect([looks(), told]).toEqual([1, []]); // somebody else's
  await pass();
  expect(looks()).toBe(1); // and not looked at again
  threads = 1_200;
  own = 250;
  await pass();
  expect([looks(), told]).toEqual([2, ['It was ended: it had more than 100 processes at once.']]);
});

test('what grows slowly counts from its lowest, and the watch sleeps when nothing runs', async () => {
  let threads = 5_000;
  const { board, record, told, pass, clock } = watch(
    () => threads,
    () => threads - 5_000,
  );
  board.tell('started', record);
  for (const more of [20, 40, 70, 90, 130]) {
    threads = 5_000 + more;
    await pass();
  }
  expect(told).toHaveLength(1);
  record.task = { ...record.task, state: 'completed' };
  await pass();
  expect(clock.waiting).toBe(0);
});

test('where the system tells no count nothing is watched', () => {
  const { board, record, clock } = watch(
    () => undefined,
    () => 0,
  );
  board.tell('started', record);
  expect(clock.waiting).toBe(0);
});
