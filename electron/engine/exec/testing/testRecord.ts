import type { Task } from '../../../../shared/model/task.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToHost } from '../host/protocol.ts';
import { TaskBoard } from '../taskBoard.ts';
import { createRecord, type TaskHost, type TaskRecord } from '../taskRecord.ts';

/** A board that fails its test when a listener throws. */
export function testBoard(clock: Clock): TaskBoard {
  return new TaskBoard(clock, {
    warn: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
}

/** A background task that nobody runs. */
export function testRecord(change: Partial<Task> = {}): TaskRecord {
  const task: Task = {
    id: 'cli_test00',
    title: 'x',
    command: 'x',
    mode: 'direct',
    cwd: '/',
    kind: 'agent',
    state: 'queued',
    background: 'explicit',
    createdAt: '2026-01-01T00:00:00.000Z',
    outputBytes: 0,
    ...change,
  };
  return createRecord(
    'test',
    task,
    {
      id: task.id,
      file: 'x',
      args: [],
      cwd: '/',
      env: {},
      terminal: 'full',
      columns: 80,
      rows: 24,
      base: '/no-such-folder/x',
      maxLogBytes: 0,
      maxCaptureBytes: 0,
      record: undefined,
    },
    undefined,
    {},
  );
}

/** A host that only notes what it is told. */
export class SilentHost implements TaskHost {
  readonly told: ToHost[] = [];

  post(message: ToHost): void {
    this.told.push(message);
  }
}
