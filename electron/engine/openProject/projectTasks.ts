import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Settings } from '../../../shared/model/settings.ts';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import type { Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import type { CommandOutcome, CommandRequest, ExecEvent, Executor } from '../exec/executor.ts';
import { userSocketFolder } from '../exec/host/hostSockets.ts';
import type { EnginePorts } from '../ports.ts';
import type { Session } from '../session/session.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import { PlantedPlaces } from './plantedPlaces.ts';

/** Who has tasks: a session, as far as its tasks go. */
export type TaskOwner = Pick<Session, 'id' | 'emit' | 'state'>;

/** The executors of the open projects, each started at its first use, and the way of their facts into the sessions. */
export interface ProjectTasks {
  /** Runs a command of a call; its task belongs to the session. */
  run(
    session: TaskOwner,
    request: CommandRequest,
    call: { readonly id: string; readonly signal: AbortSignal; readonly output?: (text: string) => void },
  ): Promise<Result<CommandOutcome>>;
  /** What the shell tools of a project see. */
  port(project: string): TaskPort;
  /** The executor that has this task. */
  executor(project: string): Promise<Executor>;
  /** Facts of tasks of this session go to it from now on. */
  adopt(session: TaskOwner): void;
  /** Every event of tasks of this session, after its fact. */
  watch(session: string, hear: (event: ExecEvent) => void): Disposable;
  /** Settles the tasks that an earlier engine left: found again, ended, or lost. */
  recover(session: Session): Promise<void>;
  settingsChanged(): void;
  /** A session was closed: what it ran has ended, or goes on without it. */
  release(session: string): void;
  /** Ends what a deleted session had started, and removes all outputs of its tasks. */
  forget(session: string): Promise<void>;
  /** Commands of calls that run or wait, of the sessions that are open here. */
  running(): Promise<readonly Task[]>;
  /** Resolves when each of them has its process: only then it can outlive the engine. */
  begun(): Promise<void>;
  /** Resolves when none of them is left. */
  rest(): Promise<void>;
  /** Ends all that runs in a project, and what runs it. */
  end(project: string): Promise<void>;
  /** `keep`: as `Executor.dispose`. */
  close(keep?: boolean): Promise<void>;
}

export interface ProjectTasksDeps {
  readonly ports: EnginePorts;
  /** Those that hold in a project. */
  readonly settings: (project: string) => Settings;
  /** Provider keys, which no command may see. */
  readonly secrets: () => readonly string[];
  /** What commands of a project find in their environment beside that of Vise. */
  readonly variables: (project: string) => Readonly<Record<string, string>>;
}

export function createProjectTasks(deps: ProjectTasksDeps): ProjectTasks {
  const { ports, settings, secrets } = deps;
  const executors = new Map<string, Promise<Executor>>();
  let closed = false;
  const ended = async (one: Executor): Promise<Executor> => {
    await one.dispose();
    return one;
  };
  const sessions = new Map<string, TaskOwner>();
  const watching = new Map<string, (event: ExecEvent) => void>();
  const outputs = join(ports.places.state, 'tasks');
  const planted = new PlantedPlaces();

  const start = async (project: string): Promise<Executor> => {
    const { createExecutor } = await import('../exec/createExecutor.ts');
    const mark = createHash('sha256').update(project).digest('hex').slice(0, 16);
    const executor = createExecutor({
      settings: () => settings(project),
      clock: ports.clock,
      log: ports.log,
      workspace: project,
      taskFolder: join(outputs, mark),
      socketFolder: userSocketFolder(),
      hostEntry: ports.ptyHost,
      environment: { ...ports.env, ...deps.variables(project) },
      secrets,
    });
    executor.on((event) => tell(event));
    return executor;
  };
  const executor = (project: string): Promise<Executor> => {
    // After the end it is there to refuse: a command that began then would have nobody to end it.
    const known = executors.get(project) ?? (closed ? start(project).then(ended) : start(project));
    executors.set(project, known);
    return known;
  };
  const tell = (event: ExecEvent): void => {
    const session = sessions.get(event.owner);
    if (!session) return;
    try {
      if (event.type === 'removed') session.emit({ type: 'task.removed', task: event.task });
      else session.emit({ type: `task.${event.type}`, task: event.task });
      if (event.type !== 'removed') planted.tell(session, event.task);
      watching.get(event.owner)?.(event);
    } catch (error) {
      // A full disk: the command goes on, and what became of it stands in its own log.
      ports.log.warn('a fact of a command could not be kept', error);
    }
  };
  return {
    async run(session, request, { id, signal, output }) {
      sessions.set(session.id, session);
      const one = await executor(session.state.project);
      if (settings(session.state.project).sandbox.commands) planted.begin(id, session.state.project);
      const ran = await one.run(request, { owner: session.id, call: id, signal, output });
      if (!ran.ok) planted.end(id); // it never began
      return ran;
    },
    port: (project) => ({
      async plan(request) {
        const one = await executor(project);
        one.warm(); // the host comes up while the command is looked at, and while it waits for its answer
        return one.plan(request);
      },
      list: async () => (await executor(project)).list(),
      get: async (id) => (await executor(project)).get(id),
      wait: async (id, timeoutMs, signal) => (await executor(project)).wait(id, timeoutMs, signal),
      result: async (id) => (await executor(project)).result(id),
      output: async (id, stream, query) => (await executor(project)).output(id, stream, query),
      cancel: async (id) => (await executor(project)).cancel(id),
      maxOutputChars: () => settings(project).shell.maxOutputChars,
    }),
    executor,
    adopt: (session) => void sessions.set(session.id, session),
    watch(session, hear) {
      watching.set(session, hear);
      return { dispose: () => void (watching.get(session) === hear && watching.delete(session)) };
    },
    async recover(session) {
      sessions.set(session.id, session);
      const known = Object.values(session.state.tasks)
        .filter((task) => !finalTaskStates.includes(task.state))
        .map((task) => ({ owner: session.id, task }));
      if (known.length === 0) return;
      await (await executor(session.state.project)).recover(known);
    },
    settingsChanged() {
      for (const made of executors.values()) void made.then((one) => one.settingsChanged());
    },
    ...runningTasks(executors, sessions),
    release: (session) => void sessions.delete(session),
    async forget(session) {
      sessions.delete(session);
      for (const made of executors.values()) await (await made).forget(session);
      const { removeOutputsOf } = await import('../exec/taskFiles.ts');
      await removeOutputsOf(outputs, session);
    },
    async end(project) {
      const made = executors.get(project);
      await (await made)?.dispose(false);
      if (executors.get(project) === made) executors.delete(project);
    },
    async close(keep) {
      closed = true;
      for (const made of executors.values()) await (await made).dispose(keep);
      sessions.clear();
    },
  };
}

/** The tasks of these sessions that have not ended. */
function runningTasks(
  executors: ReadonlyMap<string, Promise<Executor>>,
  sessions: ReadonlyMap<string, TaskOwner>,
): Pick<ProjectTasks, 'running' | 'begun' | 'rest'> {
  const running = async (): Promise<readonly Task[]> => {
    const own = new Set([...sessions.values()].flatMap(({ state }) => Object.keys(state.tasks)));
    const known = await Promise.all([...executors.values()].map(async (made) => (await made).list()));
    return known
      .flat()
      .filter(({ id, kind, state }) => own.has(id) && kind === 'agent' && !finalTaskStates.includes(state));
  };
  const each = async (act: (executor: Executor, task: string) => Promise<unknown>): Promise<void> => {
    const left = await running();
    for (const made of executors.values()) {
      const executor = await made;
      await Promise.all(left.map(({ id }) => act(executor, id)));
    }
  };
  return {
    running,
    begun: () => each(hasBegun),
    async rest() {
      while ((await running()).length > 0) await each((executor, id) => executor.wait(id));
    },
  };
}

/** Resolves when the task has a process or has ended, or when this executor does not know it. */
function hasBegun(executor: Executor, id: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    const task = executor.get(id);
    if (task === undefined || task.pid !== undefined || finalTaskStates.includes(task.state)) resolve();
  };
  const listening = executor.on(look);
  look();
  return promise.finally(() => listening.dispose());
}
