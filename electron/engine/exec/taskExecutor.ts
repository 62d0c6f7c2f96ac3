import { existsSync } from 'node:fs';
import type { Task } from '../../../shared/model/task.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import type { CommandPlan } from './commandPlan.ts';
import { CrowdWatch, maxProcesses } from './crowdWatch.ts';
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
import type { ExecutorDeps } from './executorDeps.ts';
import { ownSocketFolder } from './host/hostSockets.ts';
import type { FromHost } from './host/protocol.ts';
import type { HostLink } from './hostLink.ts';
import { HostLinks } from './hostLinks.ts';
import { PortWatch } from './portWatch.ts';
import { stopProcesses } from './processes/processTree.ts';
import { recoverTasks } from './recoverTasks.ts';
import { SandboxNetwork } from './sandbox/sandboxNetwork.ts';
import { StartOrders } from './startOrders.ts';
import { refusal } from './startRefused.ts';
import { missing, TaskAnswers } from './taskAnswers.ts';
import { isFinal, TaskBoard } from './taskBoard.ts';
import { stopGraceMs, TaskLife } from './taskLife.ts';
import { TaskQueue } from './taskQueue.ts';
import { processesOf } from './taskRecord.ts';
import { TaskStarts } from './taskStarts.ts';
import { Views } from './views.ts';

/** The executor: its parts put together, and what can be asked and told of a task. `TaskStarts` makes tasks, `TaskQueue` starts them, `TaskLife` is what happens to them then. */
export class TaskExecutor implements Executor {
  readonly #deps: ExecutorDeps;
  readonly #board: TaskBoard;
  readonly #life: TaskLife;
  readonly #links: HostLinks;
  readonly #starts: TaskStarts;
  readonly #queue: TaskQueue;
  readonly #network: SandboxNetwork;
  readonly #answers: TaskAnswers;
  readonly #views = new Views();
  readonly #ports: PortWatch;
  readonly #crowds: CrowdWatch;
  /** Hosts that have said something: only these can have started anything. */
  readonly #greeted = new WeakSet<HostLink>();
  /** What was decided at the end, whatever the settings say. */
  #keep: boolean | undefined;
  #disposed = false;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#board = new TaskBoard(deps.clock, deps.log);
    this.#network = new SandboxNetwork({
      folder: deps.socketFolder,
      network: () => deps.settings().sandbox.network,
      dial: deps.dial,
    });
    const orders = new StartOrders(deps, this.#network);
    this.#answers = new TaskAnswers(deps, this.#board);
    this.#ports = new PortWatch(deps.clock, this.#board);
    this.#life = new TaskLife(deps.clock, deps.log, this.#board, this.#ports, () => this.#queue.fillPlaces());
    this.#crowds = new CrowdWatch({
      clock: deps.clock,
      board: this.#board,
      limit: deps.maxProcesses ?? maxProcesses,
      stop: (record, why) => {
        record.stopError ??= why;
        void this.#life.stop(record, 'failed', 0);
      },
    });
    this.#links = new HostLinks({
      program: () => ({
        file: process.execPath,
        // Its garbage is short-lived: a small young generation keeps the process small and costs nothing that can be measured.
        args: ['--max-old-space-size=128', '--max-semi-space-size=1', deps.hostEntry],
        env: { ...orders.hostEnvironment(), ELECTRON_RUN_AS_NODE: '1' },
      }),
      folder: () => ownSocketFolder(deps.socketFolder, deps.taskFolder),
      keep: () => this.#keep ?? deps.settings().shell.keepRunning,
      listener: {
        message: (link, message) => {
          this.#greeted.add(link);
          if (message.t === 'attached') this.#views.attached(message.view, message.replay, message.open);
          else if (message.t === 'skipped') this.#views.skipped(message.view, message.bytes);
          else if (message.t === 'viewEnded') this.#views.ended(message.view);
          else this.#life.receive(link, this.#inWords(message));
        },
        bytes: (view, bytes) => this.#views.bytes(view, bytes),
        lost: (link) => {
          this.#views.endAll(link);
          if (!this.#greeted.has(link)) this.#refuseAll(link);
          this.#life.hostLost(link);
        },
      },
    });
    this.#queue = new TaskQueue(deps, this.#board, this.#life, this.#links);
    this.#starts = new TaskStarts({
      deps,
      board: this.#board,
      life: this.#life,
      queue: this.#queue,
      orders,
      answers: this.#answers,
      ports: this.#ports,
    });
  }

  plan(request: CommandRequest): Result<CommandPlan> {
    return this.#starts.plan(request);
  }

  run(request: CommandRequest, context: CommandContext): Promise<Result<CommandOutcome>> {
    return this.#starts.run(request, context);
  }

  shell(owner: string, cwd: string, columns: number, rows: number): Promise<Result<Task>> {
    return this.#starts.shell(owner, cwd, columns, rows);
  }

  restart(id: string): Promise<Result<Task>> {
    const record = this.#board.get(id);
    return record === undefined ? Promise.resolve(missing(id)) : this.#starts.again(record);
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
    const survivors = await stopProcesses([processesOf(record)], { graceMs: stopGraceMs });
    this.#board.set(record, { survivors });
    this.#board.tell('changed', record);
    return ok(record.task);
  }

  remove(id: string): Result<null> {
    const record = this.#board.get(id);
    if (record === undefined) return missing(id);
    if (!isFinal(record.task)) return fail('CONFLICT', `Task '${id}' still runs; stop it first.`);
    this.#board.remove(record);
    return ok(null);
  }

  async forget(owner: string): Promise<void> {
    const mine = this.#board.all().filter((record) => record.owner === owner);
    await Promise.all(mine.map((record) => this.#life.stop(record, 'cancelled', stopGraceMs)));
    const left = mine.filter(({ task }) => (task.survivors ?? []).length > 0);
    await stopProcesses(left.map(processesOf), { graceMs: stopGraceMs });
    for (const record of mine) this.#board.remove(record);
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
      this.#deps.log.warn('the host of commands could not be started ahead', error);
    }
  }

  settingsChanged(): void {
    this.#links.configure();
    this.#queue.fillPlaces();
  }

  async recover(known: readonly { readonly owner: string; readonly task: Task }[]): Promise<void> {
    await recoverTasks({
      known,
      socketFolder: ownSocketFolder(this.#deps.socketFolder, this.#deps.taskFolder),
      taskFolder: this.#deps.taskFolder,
      board: this.#board,
      links: this.#links,
      life: this.#life,
    });
    this.#queue.fillPlaces();
  }

  /** What the system said about a start, so that it helps. */
  #inWords(message: FromHost): FromHost {
    if (message.t !== 'refused') return message;
    const order = this.#board.get(message.id)?.order;
    return order === undefined ? message : { ...message, message: refusal(message.code, message.message, order) };
  }

  /** This host was gone before it said a word: its tasks never ran. */
  #refuseAll(link: HostLink): void {
    const { hostEntry } = this.#deps;
    const why = existsSync(hostEntry)
      ? 'It ended at once: look whether the system has memory and processes left, and whether Vise is installed whole.'
      : 'The file is not there: install Vise anew.';
    for (const record of this.#board.all())
      if (record.link === link)
        this.#life.refused(record, `The program that runs commands, ${hostEntry}, could not be started. ${why}`);
  }

  async dispose(keep = this.#deps.settings().shell.keepRunning): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#starts.close();
    this.#queue.close();
    this.#keep = keep;
    this.#links.configure();
    this.#ports.dispose();
    this.#crowds.dispose();
    this.#life.closing(keep);
    await this.#links.leave(keep);
    await this.#life.leftoversEnded();
    this.#life.closed(keep);
    this.#network.dispose();
  }
}
