import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import type { Exit, FromHost } from './host/protocol.ts';
import { PortWatch } from './portWatch.ts';
import { TaskLife } from './taskLife.ts';
import type { TaskRecord } from './taskRecord.ts';
import { SilentHost, testBoard, testRecord } from './testing/testRecord.ts';

/** After any stop that a test asks for. */
const later = Date.parse('2200-01-01');

const exit: Exit = {
  exitCode: null,
  signal: 'SIGTERM',
  at: later,
  stdout: { bytes: 0, chars: 0 },
  stderr: { bytes: 0, chars: 0 },
};

/** A task that runs on a host which says only what the test says. */
function running(): { life: TaskLife; record: TaskRecord; hear: (message: FromHost) => void; host: SilentHost } {
  const clock = new ManualClock();
  const board = testBoard(clock);
  const ports = new PortWatch(clock, board);
  const life = new TaskLife(clock, { warn: () => undefined }, board, ports, () => undefined);
  const record = testRecord();
  const host = new SilentHost();
  board.add(record);
  life.start(record, host, undefined);
  const hear = (message: FromHost): void => life.receive(host, message);
  hear({ t: 'started', id: record.task.id, pid: 5 });
  return { life, record, hear, host };
}

describe('what a sweep finds while a task is being stopped (C7)', () => {
  const ended = { t: 'ended', id: 'cli_test00', exit } as const;
  const swept = { t: 'survivors', id: 'cli_test00', pids: [7] } as const;
  const stopped = { t: 'stopped', id: 'cli_test00', survivors: [] } as const;

  test.each([
    ['before the end', [swept, ended, stopped]],
    ['between the end and the answer to the stop', [ended, swept, stopped]],
    ['after the answer to the stop', [ended, stopped, swept]],
    ['when the stop is answered before the end', [stopped, swept, ended]],
  ])('is not told as left when it comes %s', async (_when, messages) => {
    const { life, record, hear } = running();
    const stop = life.stop(record, 'cancelled', 3_000);
    for (const message of messages) hear(message);
    await stop;
    expect([record.task.state, record.task.survivors]).toEqual(['cancelled', undefined]);
  });

  test('is told when the stop itself could not end it', async () => {
    const { life, record, hear, host } = running();
    const stop = life.stop(record, 'cancelled', 3_000);
    hear(ended);
    hear({ ...stopped, survivors: [9] });
    await stop;
    expect([record.task.state, record.task.survivors, host.told.at(-1)]).toEqual([
      'cancelled',
      [9],
      { t: 'stop', id: 'cli_test00', graceMs: 3_000 },
    ]);
  });

  test('is told of a task that ended by itself', () => {
    const { record, hear } = running();
    hear(ended);
    hear(swept);
    expect([record.task.state, record.task.survivors]).toEqual(['completed', [7]]);
  });
});

describe('a task that ended by itself just before its stop (C7)', () => {
  const before = { ...exit, exitCode: 3, signal: null, at: 1 };

  test.each([
    ['cancelled', 'before', []],
    ['timeout', 'before', [9]],
    ['cancelled', 'after', []],
  ] as const)(
    'is completed, not %s, when its end is told %s the answer to the stop',
    async (reason, when, survivors) => {
      const { life, record, hear } = running();
      const stop = life.stop(record, reason, 3_000);
      const messages: FromHost[] = [
        { t: 'ended', id: 'cli_test00', exit: before },
        { t: 'stopped', id: 'cli_test00', survivors },
      ];
      for (const message of when === 'before' ? messages : messages.toReversed()) hear(message);
      await stop;
      expect(record.task).toMatchObject({ state: 'completed', exitCode: 3 });
      expect(record.task.survivors ?? []).toEqual(survivors);
    },
  );

  test('one that the stop ended is stopped, whatever its exit code', async () => {
    const { life, record, hear } = running();
    const stop = life.stop(record, 'cancelled', 3_000);
    hear({ t: 'ended', id: 'cli_test00', exit: { ...before, exitCode: 0, at: later } });
    hear({ t: 'stopped', id: 'cli_test00', survivors: [] });
    await stop;
    expect(record.task).toMatchObject({ state: 'cancelled', exitCode: 0 });
  });
});

test('a host is not heard about the task of another', () => {
  const { life, record } = running();
  life.receive(new SilentHost(), { t: 'ended', id: record.task.id, exit });
  expect(record.task.state).toBe('running');
});
