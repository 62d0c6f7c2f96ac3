import type { BackgroundReason, Task } from '../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import { shortId } from '../base/ids.ts';
import { shownCommand } from '../shell/quoteWord.ts';
import type { CommandPlan } from './commandPlan.ts';
import type { CommandContext, CommandOutcome, CommandRequest } from './executor.ts';
import type { ExecutorDeps } from './executorDeps.ts';
import type { StartOrder } from './host/protocol.ts';
import { commandEnvironment, shellEnvironment } from './hostOrder.ts';
import type { PortWatch } from './portWatch.ts';
import { maxLogBytes, type StartOrders } from './startOrders.ts';
import type { TaskAnswers } from './taskAnswers.ts';
import { isFinal, type TaskBoard } from './taskBoard.ts';
import { taskBase } from './taskFiles.ts';
import { stopGraceMs, type TaskLife } from './taskLife.ts';
import type { TaskQueue } from './taskQueue.ts';
import { createRecord, type TaskRecord } from './taskRecord.ts';

export interface TaskStartsDeps {
  readonly deps: ExecutorDeps;
  readonly board: TaskBoard;
  readonly life: TaskLife;
  readonly queue: TaskQueue;
  readonly orders: StartOrders;
  readonly answers: TaskAnswers;
  readonly ports: PortWatch;
}

/** Of a command with its arguments, as it is shown: they may be as long as the system lets them. */
const maxShownChars = 10_000;

/** Makes tasks of requests and decides where they go: foreground, background by estimate or by time, a person's shell. */
export class TaskStarts {
  readonly #deps: ExecutorDeps;
  readonly #board: TaskBoard;
  readonly #life: TaskLife;
  readonly #queue: TaskQueue;
  readonly #orders: StartOrders;
  readonly #answers: TaskAnswers;
  readonly #ports: PortWatch;
  #closed = false;

  constructor({ deps, board, life, queue, orders, answers, ports }: TaskStartsDeps) {
    this.#deps = deps;
    this.#board = board;
    this.#life = life;
    this.#queue = queue;
    this.#orders = orders;
    this.#answers = answers;
    this.#ports = ports;
  }

  /** Nothing is taken any more. */
  close(): void {
    this.#closed = true;
  }

  plan(request: CommandRequest): Result<CommandPlan> {
    return this.#orders.plan(request, commandEnvironment(this.#orders.environmentSources(), undefined, request.env));
  }

  async run(request: CommandRequest, context: CommandContext): Promise<Result<CommandOutcome>> {
    const settings = this.#deps.settings().shell;
    const id = shortId('cli');
    const env = commandEnvironment(this.#orders.environmentSources(), id, request.env);
    const planned = this.#orders.plan(request, env);
    if (!planned.ok) return planned;
    const plan = planned.value;
    if (this.#closed) return fail('UNAVAILABLE', 'The workbench is closing; no command is started any more.');
    if (context.signal?.aborted) return fail('CANCELLED', 'The command was stopped before it started.');

    const threshold = settings.autoBackgroundThresholdSeconds;
    const isLong = threshold > 0 && (plan.estimateSeconds ?? 0) > threshold;
    const reason: BackgroundReason | undefined = request.background ? 'explicit' : isLong ? 'estimated' : undefined;
    const order = this.#orders.order(
      taskBase(this.#deps.taskFolder, context.owner, id),
      request,
      plan,
      env,
      reason === 'explicit' ? 'full' : 'output',
    );
    if (!order.ok) return order;
    const command = request.args === undefined ? request.command : shownCommand(request).slice(0, maxShownChars);
    const task: Task = {
      id,
      title: request.title ?? command,
      command,
      argv: plan.argv,
      mode: plan.mode,
      cwd: request.cwd,
      kind: 'agent',
      state: 'queued',
      call: context.call,
      background: reason,
      ...(plan.estimateSeconds === null ? {} : { estimateSeconds: plan.estimateSeconds }),
      createdAt: isoTime(this.#deps.clock),
      outputBytes: 0,
      logPath: `${order.value.base}.log`,
    };
    const record = createRecord(context.owner, task, order.value, request, {
      output: context.output,
    });
    this.#board.add(record);
    const { hint } = plan;
    if (reason === undefined) {
      const outcome = await this.#foreground(record, context, threshold);
      return hint === undefined || !outcome.ok ? outcome : ok({ ...outcome.value, hint });
    }
    if (reason === 'estimated' && settings.estimateGraceMs > 0)
      return this.#graced(record, context, threshold, settings.estimateGraceMs);
    return this.#background(record, reason, threshold);
  }

  async shell(owner: string, cwd: string, wide: number, high: number): Promise<Result<Task>> {
    const id = shortId('shell');
    const { settings: _, ...rest } = this.#deps;
    const windows = process.platform === 'win32';
    const file =
      (windows ? rest.environment['ComSpec'] : rest.environment['SHELL']) ?? (windows ? 'cmd.exe' : '/bin/sh');
    const order: StartOrder = {
      id,
      file,
      args: windows ? [] : ['-i'],
      cwd,
      env: shellEnvironment(this.#orders.environmentSources(), id),
      terminal: 'merged',
      columns: wide,
      rows: high,
      base: taskBase(rest.taskFolder, owner, id),
      maxLogBytes,
      maxCaptureBytes: 0,
      record: undefined,
    };
    const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    const task: Task = {
      id,
      title: name,
      command: file,
      mode: 'direct',
      cwd,
      kind: 'user',
      state: 'queued',
      createdAt: isoTime(rest.clock),
      outputBytes: 0,
      logPath: `${order.base}.log`,
    };
    const record = createRecord(owner, task, order, undefined, {});
    this.#board.add(record);
    this.#queue.start(record);
    if (!(await record.started.promise))
      return fail('TOOL_EXECUTION_FAILED', record.task.error ?? `${file} could not be started`);
    return ok(record.task);
  }

  /** The same again, as a new task in the background. What still runs is ended first. */
  async again(record: TaskRecord): Promise<Result<Task>> {
    const { owner, task, order } = record;
    if (!isFinal(task)) await this.#life.stop(record, 'cancelled', stopGraceMs);
    if (task.kind === 'user') return this.shell(owner, task.cwd, order.columns, order.rows);
    const outcome = await this.run({ ...(record.request ?? requestOf(task)), background: true }, { owner });
    return outcome.ok ? ok(outcome.value.task) : outcome;
  }

  async #foreground(record: TaskRecord, context: CommandContext, threshold: number): Promise<Result<CommandOutcome>> {
    this.#queue.start(record);
    if (!(await record.started.promise)) return this.#neverRan(record);
    const first = await this.#first(record, context, threshold * 1000);
    if (first === 'aborted') return this.#stopped(record);
    if (first === 'late' && !isFinal(record.task) && record.stopping === undefined) {
      this.#board.set(record, { background: 'measured' });
      this.#queue.limit(record);
      this.#board.tell('backgrounded', record);
      this.#ports.wake();
      const output = await this.#answers.read(record);
      return ok({ kind: 'background', task: record.task, reason: 'measured', thresholdSeconds: threshold, output });
    }
    await record.ended.promise;
    return this.#finished(record);
  }

  /** What comes first: the end, `ms` (0: never), or a stop by the call. */
  async #first(record: TaskRecord, { signal }: CommandContext, ms: number): Promise<'ended' | 'late' | 'aborted'> {
    const other = Promise.withResolvers<'late' | 'aborted'>();
    const onAbort = (): void => other.resolve('aborted');
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = ms > 0 ? this.#deps.clock.after(ms, () => other.resolve('late')) : undefined;
    const first = await Promise.race([record.ended.promise.then(() => 'ended' as const), other.promise]);
    timer?.dispose();
    signal?.removeEventListener('abort', onAbort);
    return first;
  }

  async #stopped(record: TaskRecord): Promise<Result<CommandOutcome>> {
    await this.#life.stop(record, 'cancelled', stopGraceMs);
    return fail('CANCELLED', 'The command was stopped.', { output: await this.#answers.read(record) });
  }

  async #finished(record: TaskRecord): Promise<Result<CommandOutcome>> {
    return ok({ kind: 'finished', task: record.task, output: await this.#answers.read(record) });
  }

  /** In the background already, but answered like any other when it is over before the grace is. */
  async #graced(
    record: TaskRecord,
    context: CommandContext,
    threshold: number,
    graceMs: number,
  ): Promise<Result<CommandOutcome>> {
    this.#queue.fillPlaces();
    if (record.task.state === 'queued') this.#board.tell('queued', record);
    const first = await this.#first(record, context, graceMs);
    if (first === 'aborted') return this.#stopped(record);
    if (!isFinal(record.task)) return this.#inBackground(record, 'estimated', threshold);
    return record.task.state === 'failed' ? this.#neverRan(record) : this.#finished(record);
  }

  /** An error in place of a task. */
  #neverRan(record: TaskRecord): Result<never> {
    this.#board.forget(record);
    return fail('TOOL_EXECUTION_FAILED', `${record.task.error ?? 'the command could not be started'}`);
  }

  #background(record: TaskRecord, reason: BackgroundReason, threshold: number): Result<CommandOutcome> {
    this.#queue.fillPlaces();
    if (record.task.state === 'queued') this.#board.tell('queued', record);
    return this.#inBackground(record, reason, threshold);
  }

  #inBackground(record: TaskRecord, reason: BackgroundReason, threshold: number): Result<CommandOutcome> {
    this.#board.tell('backgrounded', record);
    const output = { stdout: '', stderr: '', truncated: false, stdoutChars: 0, stderrChars: 0 };
    return ok({ kind: 'background', task: record.task, reason, thresholdSeconds: threshold, output });
  }
}

/** What a task that an earlier engine started was asked to be, as far as the task tells. */
function requestOf({ argv, command, cwd, title }: Task): CommandRequest {
  const [program, ...args] = argv ?? [];
  return program === undefined || args.length === 0 ? { command, cwd, title } : { command: program, args, cwd, title };
}
