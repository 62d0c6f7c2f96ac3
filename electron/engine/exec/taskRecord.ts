import type { Task } from '../../../shared/model/task.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposer.ts';
import type { CommandContext, CommandRequest } from './executor.ts';
import type { Exit, StartOrder, ToHost } from './host/protocol.ts';
import type { TaskProcesses } from './processes/processTree.ts';

/** How a task was told to end; `failed` where it went beyond a limit. */
export type StopReason = 'cancelled' | 'timeout' | 'failed';

/** The host of a task, as far as the task is concerned. */
export interface TaskHost {
  post(message: ToHost): void;
}

/** What the executor knows of one task, besides what everyone may see. */
export interface TaskRecord {
  readonly owner: string;
  readonly request: CommandRequest | undefined;
  readonly order: StartOrder;
  readonly context: Pick<CommandContext, 'output'>;
  /** The public face: replaced, never changed. */
  task: Task;
  link: TaskHost | undefined;
  pidStart: string | undefined;
  exit: Exit | undefined;
  /** Set when the stop was asked for; the state follows when everything is gone. */
  stopping: StopReason | undefined;
  /** Why, where nobody asked for it. */
  stopError: string | undefined;
  /** When, by the clock that the host tells ends by. */
  stopAskedAt: number;
  /** The host's answer to the stop. */
  stopped: { readonly survivors: readonly number[] } | undefined;
  /** The unfinished last line. */
  lastLine: string;
  readonly timers: { stall?: Disposable; timeout?: Disposable };
  /** Resolved when the host says that it runs (true) or that it cannot (false). */
  readonly started: Deferred<boolean>;
  readonly ended: Deferred<Task>;
}

export function createRecord(
  owner: string,
  task: Task,
  order: StartOrder,
  request: CommandRequest | undefined,
  context: Pick<CommandContext, 'output'>,
): TaskRecord {
  return {
    owner,
    request,
    order,
    context,
    task,
    link: undefined,
    pidStart: undefined,
    exit: undefined,
    stopping: undefined,
    stopError: undefined,
    stopAskedAt: Number.NEGATIVE_INFINITY,
    stopped: undefined,
    lastLine: '',
    timers: {},
    started: createDeferred(),
    ended: createDeferred(),
  };
}

/** By what the processes of a task are found. */
export function processesOf({ exit, pidStart, task }: TaskRecord): TaskProcesses {
  return { task: task.id, leader: task.pid ?? -1, leaderStart: pidStart, left: exit?.left };
}
