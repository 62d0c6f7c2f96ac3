import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import type { SubagentEnd } from '../../../shared/model/subagent.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';
import { type Failure, fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { Hub } from '../hub.ts';
import type { ProjectSettings } from '../openProject/projectSettings.ts';
import type { LiveSession, NewSession } from '../session/openings.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { type Caps, endAtCap, reachedCap } from '../session/spend.ts';
import type { TurnDeps } from '../session/turnDeps.ts';
import { lastWords } from '../session/turnEnd.ts';
import type { SubagentAccess, SubagentCall, SubagentWish } from '../tools/frame/subagentAccess.ts';
import { repliesOf } from './sessionModel.ts';
import { createSlots } from './slots.ts';

/** What it did is told with its end, so many lines of it. */
const keptSteps = 100;

/** What a subagent needs of the lanes of a project. */
export interface SubagentLanes {
  /** A session in a new lane. Errors: those of making one. */
  create(wish: NewSession): Promise<Result<{ readonly session: string }>>;
  /** What a session changed in its lane; a lane that holds nothing is closed, and nothing is told of it. */
  settle(session: Session): Promise<SubagentEnd['lane']>;
}

export interface SubagentDeps {
  readonly sessions: () => Pick<Sessions, 'create' | 'open' | 'list' | 'live'>;
  readonly lanes: SubagentLanes;
  readonly hub: Pick<Hub, 'watch'>;
  readonly settings: Pick<ProjectSettings, 'of'>;
  readonly clock: Clock;
}

/** The sessions that calls of other sessions start. They start none themselves. */
export interface Subagents {
  /** For the calls of one turn; undefined in a subagent. */
  accessOf(parent: Session, turn: string): SubagentAccess | undefined;
  /** How many requests the subagents of a turn have sent. */
  requestsOf(turn: string): number;
  /**
   * Why a subagent sends no further request: its own limits, and the caps of the session that started it, which count what it
   * spends. It asks nobody to go on: the one that started it does.
   */
  guardOf(session: Session, caps: (of: Session) => Caps, today: () => number): TurnDeps['mayAsk'];
}

export function createSubagents(deps: SubagentDeps): Subagents {
  const { sessions, settings } = deps;
  const slots = createSlots();
  /** Requests of subagents by the turn that they work for, while it runs. */
  const sent = new Map<string, number>();
  const turns = new Map<string, string>();

  const childOf = async (parent: Session, call: string): Promise<Result<LiveSession | undefined>> => {
    const known = sessions()
      .list()
      .find(({ subagentOf }) => subagentOf?.session === parent.id && subagentOf.call === call);
    return known ? sessions().open(known.id) : ok(undefined);
  };
  const start = async (parent: Session, wish: SubagentWish, call: string): Promise<Result<LiveSession>> => {
    const { project, provider, model, allow, appliesEdits, effort } = parent.state;
    const subagentOf = { session: parent.id, call };
    const plain = { project, title: wish.title, provider, model, subagentOf };
    const made = wish.edits
      ? await deps.lanes.create({ ...plain, mode: 'direct' })
      : sessions().create({ ...plain, mode: 'ask' });
    if (!made.ok) return made;
    const session = 'agent' in made.value ? ok(made.value) : await sessions().open(made.value.session);
    // What the parent may do unasked, and no more: what was allowed in its session alone is not handed on.
    if (session.ok) session.value.session.emit({ type: 'session.configured', allow, appliesEdits, effort });
    return session;
  };

  return {
    accessOf(parent, turn) {
      if (parent.state.subagentOf) return undefined;
      return {
        async run(wish, call) {
          const limits = settings.of(parent.state.project).subagents;
          const slot = await slots.take(parent.id, limits.atOnce, call.signal);
          if (!slot) return fail('CANCELLED', 'Stopped before the subagent began.');
          try {
            const known = await childOf(parent, call.call);
            if (!known.ok) return known;
            const live = known.value ? ok(known.value) : await start(parent, wish, call.call);
            if (!live.ok) return live;
            const { id } = live.value.session;
            turns.set(id, turn);
            const count = (): void => void sent.set(turn, (sent.get(turn) ?? 0) + 1);
            return await work(deps, { parent, turn, live: live.value, task: wish.task, call, count, ...limits });
          } finally {
            slot.dispose();
          }
        },
      };
    },
    requestsOf: (turn) => sent.get(turn) ?? 0,
    guardOf: (session, caps, today) => async (_turn, requests) => {
      const limits = settings.of(session.state.project).subagents;
      const own = { session: limits.maxCost, day: null, requests: limits.maxRequests };
      const ownReached = reachedCap(session.state, own, requests, today);
      if (ownReached) return endAtCap(`A limit of subagents (settings, subagents) is reached. ${ownReached.text}`);
      const parent = sessions().live(session.state.subagentOf?.session ?? '')?.session ?? session;
      const turn = turns.get(session.id);
      const reached = reachedCap(parent.state, caps(parent), turn === undefined ? 0 : (sent.get(turn) ?? 0), today);
      return reached && endAtCap(reached.text);
    },
  };
}

interface Work {
  readonly parent: Session;
  readonly turn: string;
  readonly live: LiveSession;
  readonly task: string;
  readonly call: SubagentCall;
  readonly maxMinutes: number;
  /** Another request was sent. */
  readonly count: () => void;
}

/** One turn of the subagent, from its task or from where it was interrupted, until its end. */
async function work(deps: SubagentDeps, run: Work): Promise<Result<SubagentEnd>> {
  const { parent, turn, live, call, maxMinutes } = run;
  const { session, agent } = live;
  const steps: string[] = [];
  let end: TurnEnd | undefined;
  let stoppedBy: 'parent' | 'time' | undefined;
  const onFact = ({ event }: Envelope): void => {
    if (event.type === 'tool.proposed') {
      const line = event.intent?.summary ?? event.tool;
      steps.push(line);
      if (steps.length > keptSteps) steps.shift();
      call.output(`${line}\n`);
    }
    if (event.type === 'usage') {
      run.count();
      // The window of the model is the subagent's own: only what it spent is this session's.
      const { usage, cost, cachedInput } = event;
      parent.emit({ type: 'usage', turn, subagent: session.id, usage, cost, cachedInput });
    }
    if (event.type === 'turn.finished') end = event;
  };
  const watching = deps.hub.watch(session.id, onFact);
  const stop = (by: typeof stoppedBy): void => {
    stoppedBy ??= by;
    void agent.stop();
  };
  const onAbort = (): void => stop('parent');
  call.signal.addEventListener('abort', onAbort, { once: true });
  const timer = deps.clock.after(maxMinutes * 60_000, () => stop('time'));
  try {
    const begun = session.state.turns === 0 ? await agent.send(run.task) : goOn(live);
    if (!begun.ok) return begun;
    if (call.signal.aborted) onAbort();
    // Also where the engine closes, and no end is told any more.
    await agent.rest();
    const { cost } = session.state.usage;
    // Where the engine closes, the lane stays as it is.
    const lane = end && session.state.lane && (await deps.lanes.settle(session));
    const told: SubagentEnd = {
      session: session.id,
      report: lastWords(session.state),
      steps,
      requests: repliesOf(session.state),
      cost,
      lane,
    };
    return answer(end ?? lastEnd(session), told, stoppedBy, maxMinutes);
  } finally {
    timer.dispose();
    call.signal.removeEventListener('abort', onAbort);
    watching.dispose();
  }
}

/** An interrupted one goes on; one that waits for the person, or was continued by hand, runs already; or it has ended. */
function goOn({ session, agent }: LiveSession): Result<unknown> {
  if (agent.running) return ok(undefined);
  return session.state.interrupted === null ? ok(undefined) : agent.proceed();
}

type TurnEnd = Pick<EventOf<'turn.finished'>, 'outcome' | 'error' | 'text'>;

function lastEnd({ state }: Session): TurnEnd {
  for (let index = timelineLength(state.items) - 1; index >= 0; index -= 1) {
    const item = itemAt(state.items, index);
    if (item?.kind === 'end') return { outcome: item.outcome, error: item.error, text: '' };
  }
  return { outcome: 'cancelled', text: '' };
}

/** What the call answers with; a failure says what the subagent had found. */
function answer(
  { outcome, error, text }: TurnEnd,
  told: SubagentEnd,
  stoppedBy: 'parent' | 'time' | undefined,
  maxMinutes: number,
): Result<SubagentEnd> {
  const failed = (code: Failure['code'], why: string): Result<never> => {
    const lane = told.lane ? ` What it changed is in the lane ${told.lane.name}.` : '';
    return fail(code, `${why}${lane}${told.report === '' ? '' : ` Its last words: ${told.report}`}`, told);
  };
  if (stoppedBy === 'parent') return failed('CANCELLED', 'The subagent was stopped with the turn that started it.');
  if (stoppedBy === 'time')
    return failed('TIMEOUT', `The subagent was stopped after ${maxMinutes} minutes (settings, subagents.maxMinutes).`);
  switch (outcome) {
    case 'cancelled':
      return failed('CANCELLED', 'The person stopped the subagent.');
    case 'failed':
      return failed('PROVIDER_ERROR', `The subagent failed: ${error?.message ?? text}`);
    case 'blocked':
      return failed(error?.code === 'PERMISSION_DENIED' ? 'PERMISSION_DENIED' : 'LIMIT_EXCEEDED', text);
    case 'done':
    case 'answered':
    case 'incomplete':
      return ok(told);
  }
}
