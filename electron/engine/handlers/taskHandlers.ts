import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Attached, Executor } from '../exec/executor.ts';
import { findInLog } from '../exec/findInLog.ts';
import { readLog } from '../exec/taskOutput.ts';
import type { Handlers } from '../serve.ts';
import type { Session } from '../session/session.ts';
import { done, type HandlerDeps, withSession } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `task.${string}`>;

/** The task console. A task is reachable only through the session that has it. */
export function taskHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const withExecutor = <T>(
    id: string,
    act: (session: Session, executor: Executor) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    withSession(deps, id, async ({ session }) => {
      deps.tasks.adopt(session);
      return act(session, await deps.tasks.executor(session.state.project));
    });
  const withTask = <T>(
    { session: id, task }: { session: string; task: string },
    act: (executor: Executor, session: Session) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    withExecutor(id, async (session, executor) =>
      session.state.tasks[task] ? act(executor, session) : fail('TASK_NOT_FOUND', `Task '${task}' not found`),
    );

  return {
    'task.attach': ({ session, task, columns, rows }, peer) =>
      withTask({ session, task }, async (executor) => {
        const channel = peer.nextChannel();
        const attached = await executor.attach(task, {
          columns,
          rows,
          onBytes: (bytes) => peer.bytes(channel, bytes),
          onEnd: () => peer.post({ kind: 'ended', channel }),
        });
        if (!attached.ok) return attached;
        keepChannel(peer, channel, attached.value);
        const { screen, ended, convertEol } = attached.value;
        return ok({ channel, screen, ended, convertEol });
      }),
    async 'task.detach'({ channel }, peer) {
      peer.drop(`console ${channel}`);
      return ok({});
    },
    'task.input': ({ session, task, data }) =>
      withTask({ session, task }, async (executor) => done(executor.input(task, data))),
    'task.resize': ({ session, task, columns, rows }) =>
      withTask({ session, task }, async (executor) => done(executor.resize(task, columns, rows))),
    'task.stop': ({ session, task }) =>
      withTask({ session, task }, async (executor) => {
        const stopped = await executor.cancel(task);
        if (!stopped.ok) return stopped;
        if (!stopped.value.cancelled && stopped.value.task.survivors?.length) await executor.endSurvivors(task);
        return ok({ cancelled: stopped.value.cancelled, state: stopped.value.task.state });
      }),
    'task.restart': ({ session, task }) =>
      withTask({ session, task }, async (executor) => {
        const again = await executor.restart(task);
        return again.ok ? ok({ task: again.value.id }) : again;
      }),
    'task.remove': ({ session: id, task }) =>
      withTask({ session: id, task }, async (executor, session) => {
        const removed = executor.remove(task);
        // The engine may have been restarted since: then only the session knows the task.
        if (!removed.ok && removed.error.code === 'TASK_NOT_FOUND') session.emit({ type: 'task.removed', task });
        return removed.ok || removed.error.code === 'TASK_NOT_FOUND' ? ok({}) : removed;
      }),
    'task.shell': ({ session: id, columns, rows }) =>
      withExecutor(id, async (session, executor) => {
        const started = await executor.shell(session.id, session.state.project, columns, rows);
        return started.ok ? ok({ task: started.value.id }) : started;
      }),
    'task.log': ({ session: id, task, offset, maxBytes }) =>
      withTask({ session: id, task }, async (executor, session) => {
        const path = executor.get(task)?.logPath ?? session.state.tasks[task]?.logPath;
        return path === undefined ? noLog() : ok(await readLog(path, offset, maxBytes));
      }),
    'task.find': ({ session: id, task, query, caseSensitive = false, limit }, peer) =>
      withTask({ session: id, task }, async (executor, session) => {
        const path = executor.get(task)?.logPath ?? session.state.tasks[task]?.logPath;
        if (path === undefined) return noLog();
        const stopping = new AbortController();
        peer.keep('find in log', { dispose: () => stopping.abort() });
        return findInLog(path, { query, caseSensitive, limit, signal: stopping.signal });
      }),
  };
}

const noLog = (): Result<never> => fail('FILE_NOT_FOUND', 'This task has no log.');

function keepChannel(peer: Parameters<Handlers['task.attach']>[1], channel: number, attached: Attached): void {
  const hearing = peer.onAck(channel, (bytes) => attached.ack(bytes));
  peer.keep(`console ${channel}`, {
    dispose() {
      hearing.dispose();
      attached.dispose();
    },
  });
}
