import type { Attachment, EventOf, SessionEvent } from '../../../shared/model/event.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { isBetweenTasks } from '../../../shared/model/taskOver.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';
import { type Failure, fail, ok, type Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { shortId } from '../base/ids.ts';
import { describeError, type Log } from '../base/log.ts';
import type { Redact } from '../base/redact.ts';
import { systemFault } from '../base/systemFault.ts';
import { externalTurn } from './externalCalls.ts';
import { moveByHand, onContinue, onInit, onRequest } from './phaseEntry.ts';
import { runTurn } from './runTurn.ts';
import type { Session } from './session.ts';
import { sessionTitle } from './sessionTitle.ts';
import type { TurnDeps } from './turnDeps.ts';

export interface Sent {
  readonly turn: string;
  readonly queued: boolean;
}

/** Drives the turns of one session: at most one runs at a time, and a message in between is queued. */
export interface Agent extends Disposable {
  readonly session: Session;
  readonly running: boolean;
  /** Starts a turn or queues the message; messages keep their order. Errors: VALIDATION_ERROR (nothing was said, or a mention is not clear). */
  send(text: string, attachments?: readonly Attachment[]): Promise<Result<Sent>>;
  /** A task that begins with one step: write PROJECT.md. Errors: UNAVAILABLE (a turn runs, or the mode cannot write), FILE_EXISTS. */
  init(replace: boolean): Promise<Result<{ readonly turn: string }>>;
  /** Ends the running turn; resolves when it has ended. */
  stop(): Promise<void>;
  /** Goes on with a turn that was interrupted, or asks again after a failure. */
  proceed(): Result<{ readonly turn: string }>;
  movePhase(phase: Phase): Result<void>;
  /** Does something while no turn runs and none begins; messages wait for it. Errors: UNAVAILABLE (a turn runs), those of `act`. */
  apart<T>(act: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Resolves when no turn runs. */
  rest(): Promise<void>;
}

export interface AgentDeps {
  readonly session: Session;
  readonly log: Log;
  /** For the title, which is cut. */
  readonly redact?: Redact;
  /** Made once a turn: the settings and the project may have changed since the last. Errors: those of opening the project. */
  readonly turnDeps: (turn: string) => Promise<Result<TurnDeps>>;
  readonly maxIterations: () => number;
  /** The attachments of a message as they are sent: mentions are found, files are read. Errors: VALIDATION_ERROR (a mention of nothing, or of several things), PERMISSION_DENIED (a hook refuses it). */
  readonly attach: (
    text: string,
    attachments: readonly Attachment[],
    signal: AbortSignal,
  ) => Promise<Result<readonly Attachment[]>>;
  /** The files of the project for PROJECT.md. Errors: FILE_EXISTS when there is one and it is not to be replaced; those of reading. */
  readonly material: (replace: boolean) => Promise<Result<string>>;
  /** The session is closed: connections that were kept for it may go. */
  readonly ended?: () => void;
}

export function createAgent(parts: AgentDeps): Agent {
  const { session, maxIterations, attach, ended } = parts;
  let current: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  const inOrder = oneAfterAnother();
  /** Messages that waited when the person stopped: they stay queued until the person says something. */
  let held: ReadonlySet<string> = new Set();
  let isApart = false;
  const taking = createTaking();

  const start = (turn: string): void => {
    const abort = new AbortController();
    const done = runGuarded(parts, turn, abort.signal).then(() => {
      current = undefined;
      if (isBroken(session)) return;
      const next = session.state.queue.find(({ id }) => !abort.signal.aborted || !held.has(id));
      if (next) orSay(parts, () => begin(next.text, next.attachments, [{ type: 'message.unqueued', id: next.id }]));
    });
    current = { abort, done };
  };

  const begin = (
    text: string,
    attachments: readonly Attachment[] = [],
    before: readonly SessionEvent[] = [],
  ): string => {
    const turn = shortId('turn');
    const { mode, facts } = session.state;
    const { events } = onRequest(mode, facts, maxIterations(), isBetweenTasks(session.state));
    const attached = attachments.length > 0 ? { attachments } : {};
    session.emitTogether([
      ...before,
      ...openingOf(parts, { type: 'turn.started', turn, text, kind: 'task', ...attached }),
      ...events,
    ]);
    start(turn);
    return turn;
  };

  const take = async (text: string, given: readonly Attachment[]): Promise<Result<Sent>> => {
    const attachedNow = await taking.run((signal) => attach(text, given, signal));
    if (!attachedNow.ok) return attachedNow; // the draft stays: the message can be mended
    const attachments = attachedNow.value;
    session.setDraft('');
    if (!current) return ok({ turn: begin(text, attachments), queued: false });
    const attached = attachments.length > 0 ? { attachments } : {};
    session.emit({ type: 'message.queued', id: shortId('queued'), text, ...attached });
    return ok({ turn: session.state.turn?.id ?? '', queued: true });
  };

  return {
    session,
    get running() {
      return current !== undefined;
    },
    async send(text, attachments = []) {
      if (text.trim() === '' && attachments.length === 0) return fail('VALIDATION_ERROR', 'The message is empty.');
      return inOrder(() => take(text, attachments));
    },
    async init(replace) {
      if (session.state.mode === 'ask') return fail('UNAVAILABLE', 'Ask mode writes no files. Change the mode first.');
      if (current) return busy;
      const material = await parts.material(replace);
      if (!material.ok) return material;
      if (current || isApart) return busy; // reading took a while
      const { mode, facts } = session.state;
      const turn = shortId('turn');
      const attachments = [{ kind: 'text', title: 'A first map of the project', text: material.value }] as const;
      session.emitTogether([
        ...openingOf(parts, { type: 'turn.started', turn, text: initRequest, kind: 'init', attachments }),
        ...onInit(mode, facts, maxIterations()).events,
      ]);
      start(turn);
      return ok({ turn });
    },
    async stop() {
      held = new Set(session.state.queue.map(({ id }) => id));
      taking.abort();
      current?.abort.abort();
      await current?.done;
    },
    proceed() {
      if (current || isApart) return fail('UNAVAILABLE', 'A turn is running already.');
      const turn = session.state.interrupted ?? session.state.turn?.id ?? lastFailed(session);
      if (!turn) return fail('UNAVAILABLE', 'There is nothing to go on with.');
      const { mode, facts, items } = session.state;
      session.emitTogether([
        { type: 'turn.started', turn, text: '', kind: 'resume' },
        ...onContinue(mode, facts, maxIterations(), items).events,
      ]);
      start(turn);
      return ok({ turn });
    },
    movePhase: (phase) => movePhase(parts, phase),
    apart: (act) =>
      inOrder(async () => {
        if (current) return busy;
        isApart = true;
        return act().finally(() => void (isApart = false));
      }),
    async rest() {
      while (current) await current.done;
    },
    dispose() {
      taking.abort();
      current?.abort.abort();
      ended?.();
    },
  };
}

function movePhase({ session, maxIterations }: AgentDeps, phase: Phase): Result<void> {
  if (session.state.mode !== 'phased') return fail('UNAVAILABLE', 'Only the phased mode has phases.');
  session.emitTogether(moveByHand(session.state.facts, phase, maxIterations()).events);
  return ok(undefined);
}

/** What is looked at before it is sent: by hooks, for as long as they take. */
function createTaking() {
  const running = new Set<AbortController>();
  return {
    run<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const abort = new AbortController();
      running.add(abort);
      return act(abort.signal).finally(() => running.delete(abort));
    },
    abort(): void {
      for (const abort of running) abort.abort();
    },
  };
}

function oneAfterAnother(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => undefined); // whoever asked hears of it
    return done;
  };
}

/** A full disk: the message stays queued, and the session says why. */
function orSay({ session, log }: AgentDeps, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    log.warn('a queued message could not be begun', error);
    const text = `A waiting message could not be begun: ${describeError(error)}. It stays in the queue.`;
    session.announce({ type: 'notice', level: 'error', code: 'not_kept', text });
  }
}

/** Runs a turn; whatever happens, it ends with `turn.finished`. */
async function runGuarded({ session, log, turnDeps }: AgentDeps, turn: string, signal: AbortSignal): Promise<void> {
  const failed = ({ code, message }: Failure) =>
    ({ type: 'turn.finished', turn, outcome: 'failed', text: message, error: { code, message } }) as const;
  try {
    const deps = await turnDeps(turn);
    if (deps.ok) await runTurn(deps.value, turn, signal);
    else session.emit(failed(deps.error));
  } catch (error) {
    log.warn('a turn ended in a way it should not', error);
    const fault = { code: 'INTERNAL', message: `The turn ended because of a fault: ${describeError(error)}` } as const;
    const end = failed(systemFault('The turn could not go on', error) ?? fault);
    try {
      session.emit(end);
    } catch {
      session.announce(end); // the journal itself cannot be written (disk full): the window must still learn of it
    }
  }
}

/** The facts that begin a turn; with those of its phase they are one line of the journal: a turn without its phase would have no tools. */
function openingOf({ session, redact }: AgentDeps, start: EventOf<'turn.started'>): readonly SessionEvent[] {
  const isFirst = session.state.turns === 0 && session.state.title === '';
  const title = isFirst ? sessionTitle(start.text, redact) || 'New session' : '';
  return [...endOfOldCalls(session), start, ...(isFirst ? [{ type: 'session.renamed', title } as const] : [])];
}

const busy = fail('UNAVAILABLE', 'A turn is running. Stop it, or wait for its end, and try again.');

const initRequest =
  'Write PROJECT.md for this project: summary, architecture, key files, how to build, run and test it, conventions. A first map is attached: folders, and the beginning of the files that tell most. Look for yourself at what it leaves open (read_file, grep_search, list_symbols), then write PROJECT.md and nothing else.';

/** After a restart: a turn that waits for the person goes on waiting; any other is marked as interrupted. */
export function resumeAgent(agent: Agent): void {
  const { session } = agent;
  const { turn } = session.state;
  if (!turn) return;
  const waits = liveCallsOf(session.state).some((call) => call.state === 'waiting');
  if (waits) agent.proceed();
  else session.emit({ type: 'turn.interrupted', turn: turn.id });
}

const lasting: ReadonlySet<string> = new Set(['CONFIG_INVALID', 'INTERNAL', 'DIRECTORY_NOT_FOUND', 'NOT_A_DIRECTORY']);

/** The provider cannot be reached, the project is gone or the disk is full: what waits would only fail as well. */
function isBroken({ state: { items } }: Session): boolean {
  const last = itemAt(items, timelineLength(items) - 1);
  const code = last?.kind === 'end' && last.outcome === 'failed' ? (last.error?.code ?? '') : '';
  return code.startsWith('PROVIDER_') || lasting.has(code);
}

/** A new request while calls of an interrupted turn never ended: they end now, or they would seem to run for ever. */
export function endOfOldCalls({ state }: Session): readonly SessionEvent[] {
  const own = liveCallsOf(state).filter(({ turn }) => turn !== externalTurn);
  return own.map((call) => ({
    type: 'tool.finished',
    call: call.id,
    tool: call.tool,
    result: {
      success: false,
      error: {
        code: 'CANCELLED',
        message:
          call.state === 'running'
            ? 'Vise ended while this call ran, so what it did is not known. Look at the state of things before going on.'
            : 'This call was not run.',
      },
    },
  }));
}

function lastFailed({ state: { items } }: Session): string | undefined {
  for (let index = timelineLength(items) - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind === 'end') return item.outcome === 'done' || item.outcome === 'answered' ? undefined : item.turn;
    if (item?.kind !== 'notice' && item?.kind !== 'phase') return undefined;
  }
  return undefined;
}
