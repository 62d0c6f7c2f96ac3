import { type Mode, modes } from '../../../shared/model/phase.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Redact } from '../base/redact.ts';
import type { ThreadMessage, Threads, ThreadView } from '../bridge/pseudoCli/threads.ts';
import type { Hub } from '../hub.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { LiveSession } from '../session/openings.ts';
import type { Sessions } from '../session/sessions.ts';
import { sessionTitle } from '../session/sessionTitle.ts';
import type { Models } from './models.ts';

export interface ThreadDeps {
  /** The real path of the project. */
  readonly project: string;
  readonly sessions: Sessions;
  /** For titles, which are cut. */
  readonly redact: Redact;
  readonly hub: Hub;
  readonly config: Pick<UserConfig, 'settings'>;
  readonly models: Pick<Models, 'defaults'>;
}

/** An agent that starts agents that start agents would otherwise go on for ever. */
const maxRunning = 4;
const maxListed = 200;
const maxMessages = 500;

/** The sessions of one project as the pseudo CLI sees them. */
export function createThreads({ project, sessions, hub, config, models, redact }: ThreadDeps): Threads {
  const summaries = (): readonly SessionSummary[] => sessions.list().filter((one) => one.project === project);
  const get = (id: string): Result<ThreadView> => {
    const found = summaries().find((one) => one.id === id);
    return found ? ok(viewOf(found)) : fail('SESSION_NOT_FOUND', `Thread ${id} not found`);
  };
  const opened = async <T>(
    id: string,
    act: (live: LiveSession) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> => {
    const known = get(id);
    if (!known.ok) return known;
    const live = await sessions.open(id);
    return live.ok ? act(live.value) : live;
  };
  return {
    list: () => summaries().slice(0, maxListed).map(viewOf),
    get,
    create(task, agent) {
      const mode: Mode = modes.find((one) => one === agent) ?? config.settings.mode;
      const title = sessionTitle(task, redact);
      const made = sessions.create({ project, title, mode, ...models.defaults(project) });
      if (!made.ok) return made;
      made.value.session.setDraft(task);
      return get(made.value.session.id);
    },
    draft: (id) => opened(id, ({ session }) => ok(session.draft)),
    start: (id, text) =>
      opened(id, async ({ session, agent }) => {
        const running = summaries().filter(({ state }) => state !== 'idle').length;
        if (running > maxRunning)
          return fail('LIMIT_EXCEEDED', `${running} sessions of this project work already; let one end first.`);
        const sent = await agent.send(text);
        if (!sent.ok) return sent;
        if (session.draft === text) session.setDraft('');
        return ok({ turn: sent.value.turn });
      }),
    ended: (id, turn, signal) =>
      opened(id, ({ session }) => {
        const { promise, resolve } =
          Promise.withResolvers<Result<{ readonly outcome: string; readonly text: string }>>();
        const listening = hub.watch(id, ({ event }) => {
          if (event.type === 'turn.finished' && event.turn === turn)
            resolve(ok({ outcome: event.outcome, text: event.text }));
        });
        const stop = (): void => resolve(fail('CANCELLED', `Stopped waiting; the thread ${id} goes on.`));
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        // It may have ended before anybody listened.
        for (const item of itemsOf(session.state.items))
          if (item.kind === 'end' && item.turn === turn)
            resolve(ok({ outcome: item.outcome, text: lastText(session.state) }));
        return promise.finally(() => {
          listening.dispose();
          signal.removeEventListener('abort', stop);
        });
      }),
    rename: (id, title) =>
      opened(id, ({ session }) => {
        session.emit({ type: 'session.renamed', title });
        return ok(undefined);
      }),
    archive: (id, archived) =>
      opened(id, ({ session }) => {
        session.emit({ type: 'session.archived', archived });
        return ok(undefined);
      }),
    stop: (id) =>
      opened(id, ({ agent }) => {
        void agent.stop();
        return ok(undefined);
      }),
    async delete(id) {
      const known = get(id);
      if (!known.ok) return known;
      // A session that deleted itself would wait for its own end.
      if (known.value.status !== 'idle')
        return fail('CONFLICT', `Thread ${id} is at work; set its status to cancelled first.`);
      return sessions.delete(id);
    },
    messages(id) {
      const known = get(id);
      if (!known.ok) return known;
      const read = sessions.stateOf(id);
      return read.ok ? ok(messagesOf(read.value)) : read;
    },
    proposed: () =>
      summaries().flatMap(({ id }) => {
        const state = sessions.live(id)?.session.state;
        if (!state) return [];
        return callsOf(state)
          .filter((call) => call.state === 'waiting')
          .flatMap(({ intent }) => (intent?.preview.kind === 'changes' ? intent.preview.changes : []))
          .map(({ path, status }) => ({ path, status, thread: id }));
      }),
  };
}

type State = LiveSession['session']['state'];

function messagesOf(state: State): readonly ThreadMessage[] {
  const messages: ThreadMessage[] = [];
  for (const item of itemsOf(state.items))
    if (item.kind === 'user' || item.kind === 'assistant' || item.kind === 'system')
      if (item.text !== '') messages.push({ role: item.kind, at: item.at, text: item.text });
  return messages.slice(-maxMessages);
}

function lastText(state: State): string {
  return messagesOf(state).findLast(({ role }) => role === 'assistant')?.text ?? '';
}

function viewOf(summary: SessionSummary): ThreadView {
  const { id, title, mode, state, archived, turns, lastOutcome, createdAt, updatedAt } = summary;
  return { id, title, agent: mode, status: state, archived, turns, lastOutcome, createdAt, updatedAt };
}
