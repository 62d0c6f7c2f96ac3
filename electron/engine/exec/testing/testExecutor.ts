import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings, type Settings } from '../../../../shared/model/settings.ts';
import type { Task } from '../../../../shared/model/task.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createExecutor } from '../createExecutor.ts';
import type { CommandOutcome, CommandRequest, ExecEvent, Executor } from '../executor.ts';
import type { ExecutorDeps } from '../executorDeps.ts';
import { findProcesses } from '../processes/processTree.ts';

export interface TestExecutor {
  readonly executor: Executor;
  readonly events: readonly ExecEvent[];
  readonly folder: string;
  readonly workspace: string;
  settings: Pick<Settings, 'shell' | 'sandbox'>;
  /** Runs in the workspace; throws when the command is refused. */
  run(command: string, request?: Partial<CommandRequest>): Promise<CommandOutcome>;
  background(command: string, request?: Partial<CommandRequest>): Promise<Task>;
  /** The task, once it is final. */
  ended(id: string): Promise<Task>;
  /** Ends everything and fails when a process or a folder is left. */
  close(): Promise<void>;
  /** Ends the executor alone, as when the engine ends. */
  leave(): Promise<void>;
}

export interface TestOptions {
  readonly shell?: Partial<Settings['shell']>;
  readonly sandbox?: Partial<Settings['sandbox']>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly dial?: ExecutorDeps['dial'];
  readonly maxProcesses?: number;
  readonly folder?: string;
  /** In place of its own: one that several share, as those of one user do. */
  readonly socketFolder?: string;
  /** In place of the real host's. */
  readonly hostEntry?: string;
}

export const hostEntry = join(import.meta.dirname, '../../../ptyHost.ts');

/** A real executor with a real host in a folder of its own. */
export function testExecutor(options: TestOptions = {}): TestExecutor {
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'vise-exec-')));
  const workspace = join(folder, 'project');
  mkdirSync(workspace, { recursive: true });
  const settings = {
    shell: { ...defaultSettings.shell, autoBackgroundThresholdSeconds: 0, ...options.shell },
    sandbox: { ...defaultSettings.sandbox, ...options.sandbox },
  };
  const events: ExecEvent[] = [];
  const test: TestExecutor = {
    settings,
    events,
    folder,
    workspace,
    executor: createExecutor({
      settings: () => test.settings,
      clock: options.clock ?? systemClock,
      log: {
        warn: (what, error) => {
          throw new Error(what, { cause: error });
        },
      },
      workspace,
      taskFolder: join(folder, 'tasks'),
      socketFolder: options.socketFolder ?? join(folder, 'run'),
      hostEntry: options.hostEntry ?? hostEntry,
      environment: options.environment ?? process.env,
      dial: options.dial,
      maxProcesses: options.maxProcesses,
    }),
    async run(command, request) {
      const outcome = await test.executor.run({ command, cwd: workspace, ...request }, { owner: 'test' });
      if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      return outcome.value;
    },
    async background(command, request) {
      return (await test.run(command, { background: true, ...request })).task;
    },
    async ended(id) {
      const task = await test.executor.wait(id);
      if (!task.ok) throw new Error(task.error.message);
      return task.value;
    },
    leave: () => test.executor.dispose(),
    async close() {
      const ids = [...new Set(events.flatMap((event) => (event.type === 'removed' ? [] : [event.task.id])))];
      await test.executor.dispose();
      const left = await findProcesses(ids.map((task) => ({ task, leader: -1 })));
      rmSync(folder, { recursive: true, force: true });
      const pids = [...left.values()].flat();
      if (pids.length > 0) throw new Error(`processes were left: ${pids.join(', ')}`);
    },
  };
  test.executor.on((event) => events.push(event));
  return test;
}

/** Resolves when `holds` does; asked again every few milliseconds. The test's own time limit is the bound. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
