import type { Attachment } from '../../../shared/model/event.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { shortId } from '../base/ids.ts';
import { describeError, type Log } from '../base/log.ts';
import { moveByHand, onRequest } from './phases.ts';
import { runTurn, type TurnParts } from './runTurn.ts';
import type { Session } from './session.ts';

/** Drives the turns of one session: at most one runs at a time, and a message in between is queued. */
export interface Agent extends Disposable {
  readonly session: Session;
  readonly running: boolean;
  send(
    text: string,
    attachments?: readonly Attachment[],
    kind?: 'task' | 'init',
  ): Result<{ readonly turn: string; readonly queued: boolean }>;
  /** Ends the running turn; resolves when it has ended. */
  stop(): Promise<void>;
  /** Goes on with a turn that was interrupted, or asks again after a failure. */
  proceed(): Result<{ readonly turn: string }>;
  movePhase(phase: Phase): Result<void>;
  /** Resolves when no turn runs. */
  rest(): Promise<void>;
}

export interface AgentParts {
  readonly session: Session;
  readonly log: Log;
  /** Made once a turn: the settings and the project may have changed since the last. */
  readonly turnParts: (turn: string) => Promise<TurnParts>;
  readonly maxIterations: () => number;
}

export function createAgent({ session, log, turnParts, maxIterations }: AgentParts): Agent {
  let current: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  const start = (turn: string): void => {
    const abort = new AbortController();
    const done = run(turn, abort.signal).finally(() => {
      current = undefined;
      const [next] = session.state.queue;
      if (!next || abort.signal.aborted) return;
      session.emit({ type: 'message.unqueued', id: next.id });
      begin(next.text, next.attachments);
    });
    current = { abort, done };
  };

  const run = async (turn: string, signal: AbortSignal): Promise<void> => {
    try {
      await runTurn(await turnParts(turn), turn, signal);
    } catch (error) {
      log.warn('a turn ended in a way it should not', error);
      const message = `The turn ended because of a fault: ${describeError(error)}`;
      const end = {
        type: 'turn.finished',
        turn,
        outcome: 'failed',
        text: message,
        error: { code: 'INTERNAL', message },
      } as const;
      try {
        session.emit(end);
      } catch {
        session.announce(end); // the journal itself cannot be written (disk full): the window must still learn of it
      }
    }
  };

  const begin = (text: string, attachments?: readonly Attachment[], kind: 'task' | 'init' = 'task'): string => {
    const turn = shortId('turn');
    session.emit({ type: 'turn.started', turn, text, kind, ...(attachments?.length ? { attachments } : {}) });
    if (session.state.turns === 1 && session.state.title === '')
      session.emit({ type: 'session.renamed', title: titleOf(text) });
    const { mode, facts } = session.state;
    for (const event of onRequest(mode, facts, maxIterations()).events) session.emit(event);
    start(turn);
    return turn;
  };

  return {
    session,
    get running() {
      return current !== undefined;
    },
    send(text, attachments, kind) {
      if (text.trim() === '' && !attachments?.length) return fail('VALIDATION_ERROR', 'The message is empty.');
      if (!current) {
        session.setDraft('');
        return ok({ turn: begin(text, attachments, kind), queued: false });
      }
      session.emit({
        type: 'message.queued',
        id: shortId('queued'),
        text,
        ...(attachments?.length ? { attachments } : {}),
      });
      session.setDraft('');
      return ok({ turn: session.state.turn?.id ?? '', queued: true });
    },
    async stop() {
      current?.abort.abort();
      await current?.done;
    },
    proceed() {
      if (current) return fail('UNAVAILABLE', 'A turn is running already.');
      const turn = session.state.interrupted ?? session.state.turn?.id ?? lastFailed(session);
      if (!turn) return fail('UNAVAILABLE', 'There is nothing to go on with.');
      session.emit({ type: 'turn.started', turn, text: '', kind: 'resume' });
      start(turn);
      return ok({ turn });
    },
    movePhase(phase) {
      if (session.state.mode !== 'phased') return fail('UNAVAILABLE', 'Only the phased mode has phases.');
      for (const event of moveByHand(session.state.facts, phase).events) session.emit(event);
      return ok(undefined);
    },
    async rest() {
      while (current) await current.done;
    },
    dispose() {
      current?.abort.abort();
    },
  };
}

/** After a restart: a turn that waits for the person goes on waiting; any other is marked as interrupted. */
export function takeUp(agent: Agent): void {
  const { session } = agent;
  const { turn } = session.state;
  if (!turn) return;
  const waits = liveCallsOf(session.state).some((call) => call.state === 'waiting');
  if (waits) agent.proceed();
  else session.emit({ type: 'turn.interrupted', turn: turn.id });
}

function lastFailed({ state }: Session): string | undefined {
  const last = state.items.at(-1)?.at(-1);
  return last?.kind === 'end' && last.outcome !== 'done' ? last.turn : undefined;
}

/** The first line of the first message, at most 60 characters. */
function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const letters = [...line];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : line || 'New session';
}
