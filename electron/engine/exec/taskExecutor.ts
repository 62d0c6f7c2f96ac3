import { mkdirSync } from 'node:fs';
import type { BackgroundReason, Task } from '../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isoTime } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import { shortId } from '../base/ids.ts';
import type { CommandPlan } from './commandPlan.ts';
import type {
  Attached,
  AttachOptions,
  Cancelled,
  CommandContext,
  CommandOutcome,
  CommandOutput,
  CommandRequest,
  ExecEvent,
  Executor,
  LogSlice,
  OutputQuery,
  StreamSlice,
} from './executor.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { StartOrder } from './host/protocol.ts';
import { HostLinks } from './hostLinks.ts';
import { commandEnvironment, shellEnvironment, taskBase } from './hostOrder.ts';
import { PortWatch } from './portWatch.ts';
import { stopProcesses } from './processTree.ts';
import { recoverTasks } from './recoverTasks.ts';
import { SandboxNetwork } from './sandbox/sandboxNetwork.ts';
import { maxLogBytes, StartOrders } from './startOrders.ts';
import { missing, TaskAnswers } from './taskAnswers.ts';
import { isFinal, TaskBoard } from './taskBoard.ts';
import { TaskLife } from './taskLife.ts';
import { createRecord, processesOf, type TaskRecord } from './taskRecord.ts';
import { Views } from './views.ts';

/** Between TERM and KILL (spec 001, section 7). */
export const stopGraceMs = 3_000;

/** The executor: reads commands, decides where they run, queues them, and answers for them. What happens to a running one is `TaskLife`'s. */
export class TaskExecutor implements Executor {
  readonly #parts: ExecutorParts;
  readonly #board: TaskBoard;
  readonly #life: TaskLife;
  readonly #links: HostLinks;
  readonly #orders: StartOrders;
  readonly #network: SandboxNetwork;
  readonly #answers: TaskAnswers;
  readonly #views = new Views();
  readonly #ports: PortWatch;
  #disposed = false;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#board = new TaskBoard(parts.clock, parts.log);
    this.#network = new SandboxNetwork({
      folder: parts.socketFolder,
      network: () => parts.settings().sandbox.network,
      ...(parts.dial === undefined ? {} : { dial: parts.dial }),
    });
    this.#orders = new StartOrders(parts, this.#network);
    this.#answers = new TaskAnswers(parts, this.#board);
    this.#ports = new PortWatch(parts.clock, this.#board);
    this.#life = new TaskLife(parts.clock, parts.log, this.#board, this.#ports, () => this.#fillPlaces());
    this.#links = new HostLinks({
      program: () => ({
        file: process.execPath,
        // Its garbage is short-lived: a small young generation keeps the process small and costs nothing that can be measured.
        args: ['--max-old-space-size=128', '--max-semi-space-size=1', parts.hostEntry],
        env: { ...this.#orders.hostEnvironment(), ELECTRON_RUN_AS_NODE: '1' },
      }),
      folder: parts.socketFolder,
      keep: () => parts.settings().shell.keepRunning,
      listener: {
        message: (link, message) => {
          if (message.t === 'attached') this.#views.attached(message.view, message.replay, message.open);
          else if (message.t === 'skipped') this.#views.skipped(message.view, message.bytes);
          else if (message.t === 'viewEnded') this.#views.ended(message.view);
          else this.#life.receive(link, message);
        },
        bytes: (view, bytes) => this.#views.bytes(view, bytes),
        lost: (link) => {
          this.#views.endAll(link);
          this.#life.hostLost(link);
        },
      },
    });
  }

  plan(request: CommandRequest): Result<CommandPlan> {
    return this.#orders.plan(request, commandEnvironment(this.#orders.environmentParts(), undefined, request.env));
  }

  async run(request: CommandRequest, context: CommandContext): Promise<Result<CommandOutcome>> {
    const settings = this.#parts.settings().shell;
    const id = shortId('cli');
    const env = commandEnvironment(this.#orders.environmentParts(), id, request.env);
    const planned = this.#orders.plan(request, env);
    if (!planned.ok) return planned;
    const plan = planned.value;
    if (this.#disposed) return fail('UNAVAILABLE', 'The workbench is closing; no command is started any more.');
    if (context.signal?.aborted) return fail('CANCELLED', 'The command was stopped before it started.');

    const threshold = settings.autoBackgroundThresholdSeconds;
    const isLong = threshold > 0 && (plan.estimateSeconds ?? 0) > threshold;
    const reason: BackgroundReason | undefined = request.background ? 'explicit' : isLong ? 'estimated' : undefined;
    const order = this.#orders.order(id, request, plan, env, reason === 'explicit' ? 'full' : 'output');
    if (!order.ok) return order;
    const task: Task = {
      id,
      title: request.title ?? request.command,
      command: request.command,
      ...(plan.argv === undefined ? {} : { argv: plan.argv }),
      mode: plan.mode,
      cwd: request.cwd,
      kind: 'agent',
      state: 'queued',
      ...(context.call === undefined ? {} : { call: context.call }),
      ...(reason === undefined ? {} : { background: reason }),
      ...(plan.estimateSeconds === null ? {} : { estimateSeconds: plan.estimateSeconds }),
      createdAt: isoTime(this.#parts.clock),
      outputBytes: 0,
      logPath: `${order.value.base}.log`,
    };
    const record = createRecord(context.owner, task, order.value, request, {
      ...(context.output === undefined ? {} : { output: context.output }),
    });
    this.#board.add(record);
    return reason === undefined
      ? this.#foreground(record, context, threshold)
      : this.#background(record, reason, threshold);
  }

  async shell(owner: string, cwd: string, wide: number, high: number): Promise<Result<Task>> {
    const id = shortId('shell');
    const { settings: _, ...rest } = this.#parts;
    const windows = process.platform === 'win32';
    const file =
      (windows ? rest.environment['ComSpec'] : rest.environment['SHELL']) ?? (windows ? 'cmd.exe' : '/bin/sh');
    const order: StartOrder = {
      id,
      file,
      args: windows ? [] : ['-i'],
      cwd,
      env: shellEnvironment(this.#orders.environmentParts(), id),
      terminal: 'merged',
      columns: wide,
      rows: high,
      base: taskBase(rest.taskFolder, id),
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
    this.#start(record);
    if (!(await record.started.promise))
      return fail('TOOL_EXECUTION_FAILED', record.task.error ?? `${file} could not be started`);
    return ok(record.task);
  }

  on(listen: (event: ExecEvent) => void): Disposable {
    return this.#board.on(listen);
  }

  get(id: string): Task | undefined {
    return this.#board.get(id)?.task;
  }

  list(): readonly Task[] {
    this.#board.purge();
    return this.#board.all().map(({ task }) => task);
  }

  wait(id: string, timeoutMs?: number, signal?: AbortSignal): Promise<Result<Task>> {
    return this.#answers.wait(id, timeoutMs, signal);
  }

  result(id: string): Promise<Result<CommandOutput>> {
    return this.#answers.result(id);
  }

  output(id: string, stream: 'stdout' | 'stderr', query: OutputQuery): Promise<Result<StreamSlice>> {
    return this.#answers.output(id, stream, query);
  }

  log(id: string, offset: number, maxBytes: number): Promise<Result<LogSlice>> {
    return this.#answers.log(id, offset, maxBytes);
  }

  async cancel(id: string): Promise<Result<Cancelled>> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (isFinal(record.task)) return ok({ cancelled: false, task: record.task });
    await this.#life.stop(record, 'cancelled', stopGraceMs);
    return ok({ cancelled: record.task.state === 'cancelled', task: record.task });
  }

  async endSurvivors(id: string): Promise<Result<Task>> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (!isFinal(record.task)) return fail('CONFLICT', `Task '${id}' still runs; stop it instead.`);
    const survivors = await stopProcesses(processesOf(record), { graceMs: stopGraceMs });
    this.#board.set(record, { survivors });
    this.#board.tell('changed', record);
    return ok(record.task);
  }

  async restart(id: string): Promise<Result<Task>> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (record.request === undefined)
      return this.shell(record.owner, record.task.cwd, record.order.columns, record.order.rows);
    if (!isFinal(record.task)) await this.cancel(id);
    const again = await this.run({ ...record.request, background: true }, { owner: record.owner });
    return again.ok ? ok(again.value.task) : again;
  }

  remove(id: string): Result<null> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (!isFinal(record.task)) return fail('CONFLICT', `Task '${id}' still runs; stop it first.`);
    this.#board.remove(record);
    return ok(null);
  }

  input(id: string, data: string): Result<null> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (isFinal(record.task)) return fail('CONFLICT', `Task '${id}' has ended; there is nobody to type to.`);
    if (record.order.terminal === 'output' || record.order.terminal === 'none') {
      return fail('CONFLICT', `Task '${id}' has empty input: only background tasks and shells can be typed to.`);
    }
    record.link?.post({ t: 'input', id, data });
    this.#life.answered(record);
    return ok(null);
  }

  resize(id: string, wide: number, high: number): Result<null> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    record.link?.post({ t: 'resize', id, columns: wide, rows: high });
    return ok(null);
  }

  attach(id: string, options: AttachOptions): Promise<Result<Attached>> {
    const record = this.#board.get(id);
    if (record === undefined) return Promise.resolve(missing(id));
    const convertEol = record.order.terminal !== 'merged';
    const link = isFinal(record.task) ? undefined : record.link;
    return this.#views.attach(link, id, `${record.order.base}.log`, convertEol, options);
  }

  warm(): void {
    try {
      this.#links.current();
    } catch (error) {
      this.#parts.log.warn('the host of commands could not be started ahead', error);
    }
  }

  settingsChanged(): void {
    this.#links.configure();
    this.#fillPlaces();
  }

  async recover(known: readonly { readonly owner: string; readonly task: Task }[]): Promise<void> {
    await recoverTasks({
      known,
      socketFolder: this.#parts.socketFolder,
      taskFolder: this.#parts.taskFolder,
      board: this.#board,
      links: this.#links,
      life: this.#life,
    });
    this.#fillPlaces();
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    const keep = this.#parts.settings().shell.keepRunning;
    this.#ports.dispose();
    this.#life.closing(keep);
    await this.#links.leave(!keep);
    await this.#life.leftoversEnded();
    this.#life.closed(keep);
    this.#network.dispose();
  }

  async #foreground(record: TaskRecord, context: CommandContext, threshold: number): Promise<Result<CommandOutcome>> {
    const { clock } = this.#parts;
    this.#start(record);
    if (!(await record.started.promise)) {
      const { error } = record.task;
      this.#board.remove(record);
      return fail('TOOL_EXECUTION_FAILED', `cli_based_tool: ${error ?? 'the command could not be started'}`);
    }
    const abort = Promise.withResolvers<'aborted'>();
    const onAbort = (): void => abort.resolve('aborted');
    if (context.signal?.aborted) onAbort();
    context.signal?.addEventListener('abort', onAbort, { once: true });
    const late = Promise.withResolvers<'late'>();
    const timer = threshold > 0 ? clock.after(threshold * 1000, () => late.resolve('late')) : undefined;
    const first = await Promise.race([record.settled.promise, late.promise, abort.promise]);
    timer?.dispose();
    context.signal?.removeEventListener('abort', onAbort);

    if (first === 'aborted') {
      await this.#life.stop(record, 'cancelled', stopGraceMs);
      return fail('CANCELLED', 'The command was stopped.', { output: await this.#answers.read(record) });
    }
    if (first === 'late' && !isFinal(record.task) && record.stopping === undefined) {
      this.#board.set(record, { background: 'measured' });
      this.#board.tell('backgrounded', record);
      this.#ports.wake();
      const output = await this.#answers.read(record);
      return ok({ kind: 'background', task: record.task, reason: 'measured', thresholdSeconds: threshold, output });
    }
    await record.settled.promise;
    return ok({ kind: 'finished', task: record.task, output: await this.#answers.read(record) });
  }

  #background(record: TaskRecord, reason: BackgroundReason, threshold: number): Result<CommandOutcome> {
    this.#fillPlaces();
    if (record.task.state === 'queued') this.#board.tell('queued', record);
    this.#board.tell('backgrounded', record);
    const output = { stdout: '', stderr: '', truncated: false, stdoutChars: 0, stderrChars: 0 };
    return ok({ kind: 'background', task: record.task, reason, thresholdSeconds: threshold, output });
  }

  /** Starts what waits as long as places are free, and tells the others their place. */
  #fillPlaces(): void {
    const tasks = this.#board.all();
    this.#links.hold(tasks.some(({ task }) => task.state === 'running'));
    if (this.#disposed) return;
    const running = tasks.filter(({ task }) => task.background !== undefined && task.state === 'running').length;
    const waiting = tasks.filter(({ task }) => task.background !== undefined && task.state === 'queued');
    const free = Math.max(0, this.#parts.settings().shell.backgroundMaxWorkers - running);
    for (const record of waiting.slice(0, free)) this.#start(record);
    for (const [index, record] of waiting.slice(free).entries()) {
      if (record.task.place === index + 1) continue;
      const isNew = record.task.place === undefined;
      this.#board.set(record, { place: index + 1 });
      if (!isNew) this.#board.tell('changed', record);
    }
  }

  #start(record: TaskRecord): void {
    const { backgroundTimeoutSeconds } = this.#parts.settings().shell;
    const given = record.request?.timeoutMs;
    const usual =
      record.task.background === undefined || backgroundTimeoutSeconds === null
        ? undefined
        : backgroundTimeoutSeconds * 1000;
    try {
      mkdirSync(this.#parts.taskFolder, { recursive: true, mode: 0o700 });
      this.#life.start(record, this.#links.current(), given ?? usual);
      this.#links.hold(true);
    } catch (error) {
      this.#life.refused(record, error instanceof Error ? error.message : String(error));
    }
  }
}
