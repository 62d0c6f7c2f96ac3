import type { Brought } from './brought.ts';
import type { Answer, Call } from './call.ts';
import type { Envelope, EventOf, SessionEventType } from './event.ts';
import type { PhaseFacts, PlanStep } from './phase.ts';
import { type Item, movedBefore, type SessionState } from './sessionState.ts';
import { finalTaskStates, type Task } from './task.ts';
import { factsOfNewTask, isBetweenTasks } from './taskOver.ts';
import { append, itemAt, itemsOf, replaceAt, timelineLength, truncate } from './timeline.ts';
import { addUsage, noUsage, type Usage } from './usage.ts';

const outputTail = 4000;
/** Asked again, the answer before does not count. */
const waiting = { state: 'waiting', answer: undefined } as const;
const keptTasks = 200;
const keptFilesRead = 200;

/**
 * The one reducer, used by the engine, the journal's replay and every mirror. Pure: the same facts give the same
 * state everywhere. An event that only a newer version knows leaves the state as it is rather than lose the session.
 */
export function reduce(state: SessionState, { event, at }: Envelope): SessionState {
  if (!Object.hasOwn(reducers, event.type)) return state;
  // The table gives each type the reducer of its own events.
  const reducer = reducers[event.type] as Reducer<SessionEventType>;
  return reducer(state, event, at);
}

type Reducer<Type extends SessionEventType> = (state: SessionState, event: EventOf<Type>, at: string) => SessionState;

/** What each event changes; an event without an entry does not compile. */
const reducers: { readonly [Type in SessionEventType]: Reducer<Type> } = {
  'session.started': (state, { id, project, lane, subagentOf, title, mode, provider, model }, at) => ({
    ...state,
    id,
    project,
    ...(lane ? { lane } : {}),
    ...(subagentOf ? { subagentOf } : {}),
    title,
    mode,
    provider,
    model,
    createdAt: at,
    updatedAt: at,
  }),
  'session.renamed': (state, { title }, at) => ({ ...state, title, updatedAt: at }),
  'session.archived': (state, { archived }, at) => ({ ...state, archived, updatedAt: at }),
  'session.configured': (state, event) => ({
    ...state,
    mode: event.mode ?? state.mode,
    provider: event.provider ?? state.provider,
    model: event.model ?? state.model,
    allow: event.allow ?? state.allow,
    effort: event.effort ?? state.effort,
    maxCost: event.maxCost ?? state.maxCost,
    appliesEdits: event.appliesEdits ?? state.appliesEdits,
  }),

  'turn.started': turnStarted,
  'turn.interrupted': (state, { turn }) => ({ ...state, turn: null, interrupted: turn }),
  'turn.finished': (state, { turn, outcome, open, error }, at) => ({
    ...withItem(state, { kind: 'end', turn, at, outcome, open, error, usage: spentIn(state) }),
    turn: null,
    lastOutcome: outcome,
    updatedAt: at,
  }),

  'text.delta': (state, { text }) =>
    state.turn ? { ...state, turn: { ...state.turn, text: state.turn.text + text } } : state,
  'reasoning.delta': (state, { text }) =>
    state.turn ? { ...state, turn: { ...state.turn, reasoning: state.turn.reasoning + text } } : state,
  'text.restarted': (state) => (state.turn ? { ...state, turn: { ...state.turn, text: '', reasoning: '' } } : state),
  message: messageWritten,
  'message.queued': (state, { id, text, attachments }) => ({
    ...state,
    queue: [...state.queue, { id, text, ...(attachments ? { attachments } : {}) }],
  }),
  'message.unqueued': (state, { id }) => ({ ...state, queue: state.queue.filter((queued) => queued.id !== id) }),
  'message.moved': (state, { id, before }) => ({ ...state, queue: movedBefore(state.queue, id, before) }),

  'phase.changed': (state, { from, to, cause }, at) => ({
    ...withItem(state, { kind: 'phase', at, from, to, cause }),
    facts: { ...state.facts, phase: to },
  }),
  'findings.reported': (state, { findings, constraints, files }) =>
    withFacts(state, {
      findings: [...state.facts.findings, ...findings],
      constraints: union(state.facts.constraints, constraints),
      filesRead: union(state.facts.filesRead, files),
    }),
  'plan.reported': (state, { steps, replan }) =>
    withFacts(state, { steps, replans: state.facts.replans + (replan ? 1 : 0) }),
  'step.changed': (state, { step: changed }) =>
    withFacts(state, { steps: state.facts.steps.map((step) => (step.id === changed.id ? changed : step)) }),
  'todos.changed': (state, { todos, by }) => withFacts(state, { todoList: { todos, by } }),
  'iteration.counted': (state, { iterations, maxIterations }) => withFacts(state, { iterations, maxIterations }),

  'tool.proposed': callProposed,
  'tool.started': (state, { call: id }, at) =>
    withCall(state, id, (call) => ({ ...call, state: 'running', startedAt: at })),
  'tool.output': (state, { call: id, text }) =>
    withCall(state, id, (call) => ({ ...call, output: ((call.output ?? '') + text).slice(-outputTail) })),
  'tool.finished': callFinished,
  'permission.asked': (state, { call, approval, intent }) =>
    withCall(state, call, (one) => ({ ...one, intent: intent ?? one.intent, ...waiting, approval })),
  'permission.answered': (state, { call: id, answer }) =>
    withCall(state, id, (call) => ({ ...call, state: 'proposed', answer })),
  'permission.granted': (state, { tools, rules }) => ({ ...state, grants: { tools, rules } }),

  'change.applied': changeApplied,
  'change.rebased': (state, { call: id, changes }) =>
    withCall(state, id, ({ rebasedFrom, ...call }) => {
      if (call.intent?.preview.kind !== 'changes') return call;
      const { preview } = call.intent;
      return {
        ...call,
        rebasedFrom: rebasedFrom ?? preview.changes,
        intent: { ...call.intent, preview: { ...preview, changes } },
      };
    }),
  'change.rehearsed': (state, { rehearsal }) => ({ ...state, rehearsal }),
  'build.changed': (state, { build }) => ({ ...state, builds: { ...state.builds, [build.task]: build } }),
  'change.undone': (state, { changeSet }) => withChangeSet(state, changeSet, 'undone'),
  'change.redone': (state, { changeSet }) => withChangeSet(state, changeSet, 'applied'),
  'session.rewound': rewound,

  'task.queued': taskChanged,
  'task.started': taskChanged,
  'task.backgrounded': taskChanged,
  'task.changed': taskChanged,
  'task.ended': taskChanged,
  'task.removed': (state, { task }) => {
    const { [task]: _gone, ...tasks } = state.tasks;
    const { [task]: _build, ...builds } = state.builds;
    return { ...state, tasks, builds };
  },

  usage: usageCounted,
  'context.compacted': (state, { upTo, summary }) => ({ ...state, compacted: { upTo, summary } }),
  notice: (state, { type: _, ...notice }, at) => withItem(state, { kind: 'notice', at, ...notice }),
};

const spentIn = ({ turnUsage }: SessionState): Usage | undefined => (turnUsage.requests > 0 ? turnUsage : undefined);

function usageCounted(state: SessionState, event: EventOf<'usage'>): SessionState {
  const { usage, contextTokens: tokens, contextLimit: limit = 0, contextCounted: counted } = event;
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    turnUsage: addUsage(state.turnUsage, usage),
    context: tokens === undefined ? state.context : { tokens, limit, ...(counted ? { counted } : {}) },
  };
}

function turnStarted(state: SessionState, event: EventOf<'turn.started'>, at: string): SessionState {
  const { turn, text, attachments, kind } = event;
  const started: SessionState = {
    ...state,
    turn: { id: turn, startedAt: at, text: '', reasoning: '' },
    interrupted: null,
    turns: state.turns + (kind === 'resume' ? 0 : 1),
    updatedAt: at,
  };
  if (kind === 'resume') return started;
  const fresh = { ...started, turnUsage: noUsage };
  const over = kind === 'init' || isBetweenTasks(state);
  return withItem(over ? { ...fresh, facts: factsOfNewTask(state.facts) } : fresh, {
    kind: 'user',
    turn,
    at,
    text,
    ...(attachments ? { attachments } : {}),
  });
}

function messageWritten(state: SessionState, event: EventOf<'message'>, at: string): SessionState {
  const { turn, role, text, reasoning, reasoningDetails, calls, attachments, hint } = event;
  const settled = state.turn ? { ...state, turn: { ...state.turn, text: '', reasoning: '' } } : state;
  if (role === 'user')
    return withItem(state, { kind: 'user', turn, at, text, ...(attachments ? { attachments } : {}) });
  if (role === 'system') return withItem(state, { kind: 'system', turn, at, text, hint });
  return withItem(settled, {
    kind: 'assistant',
    turn,
    at,
    text,
    ...(reasoning ? { reasoning } : {}),
    ...(reasoningDetails ? { reasoningDetails } : {}),
    calls: calls ?? [],
  });
}

function callProposed(state: SessionState, event: EventOf<'tool.proposed'>, at: string): SessionState {
  const { call: id, turn, tool, level, input, intent } = event;
  const call: Call = { id, turn, tool, level, input, state: 'proposed', proposedAt: at, ...(intent ? { intent } : {}) };
  return {
    ...withItem(state, { kind: 'call', call }),
    liveCalls: { ...state.liveCalls, [id]: timelineLength(state.items) },
  };
}

function callFinished(state: SessionState, event: EventOf<'tool.finished'>, at: string): SessionState {
  const finished = withCall(state, event.call, (call) => ({
    ...call,
    state: 'finished',
    finishedAt: at,
    result: event.result,
    brought: event.brought,
    answer: call.answer && withoutContents(call.answer),
  }));
  const { [event.call]: _gone, ...liveCalls } = finished.liveCalls;
  return { ...(event.brought ? withBrought(finished, event.brought, at) : finished), liveCalls };
}

function withBrought(state: SessionState, { files = [], pictures, tabs }: Brought, at: string): SessionState {
  const filesRead = union(state.facts.filesRead, files).slice(0, keptFilesRead);
  const known = files.length > 0 ? withFacts(state, { filesRead }) : state;
  if (tabs === undefined) return known;
  // A picture that came with tabs is one of the page that is in front.
  const picture = pictures?.at(-1);
  const tab = tabs.find(({ active }) => active)?.id ?? null;
  return { ...known, browser: { tabs, picture: picture ? { ...picture, at, tab } : state.browser.picture } };
}

/** What was written stands in the change set; the journal alone keeps what the person typed. */
function withoutContents({ verdicts, ...answer }: Answer): Answer {
  if (verdicts === undefined) return answer;
  return { ...answer, verdicts: verdicts.map(({ content: _written, ...verdict }) => verdict) };
}

function changeApplied(state: SessionState, event: EventOf<'change.applied'>, at: string): SessionState {
  const { changeSet: id, call, calls, turn, files, isTakenBack } = event;
  const written = files.filter((file) => file.verdict !== 'rejected').map((file) => file.path);
  const linked = (calls ?? [call]).reduce(
    (now, one) => withCall(now, one, (known) => ({ ...known, changeSet: id })),
    state,
  );
  return {
    ...linked,
    changeSets: [
      ...state.changeSets,
      { id, call, ...(calls ? { calls } : {}), turn, at, files, state: 'applied', ...(isTakenBack && { isTakenBack }) },
    ],
    facts: { ...state.facts, filesModified: union(state.facts.filesModified, written) },
  };
}

function taskChanged(state: SessionState, { task }: { readonly task: Task }): SessionState {
  const tasks = { ...state.tasks, [task.id]: task };
  const known = Object.values(tasks);
  const oldest = known.length > keptTasks ? known.find((other) => finalTaskStates.includes(other.state)) : undefined;
  if (oldest) delete tasks[oldest.id];
  const { [oldest?.id ?? '']: _gone, ...builds } = state.builds;
  const linked = task.call !== undefined && state.liveCalls[task.call] !== undefined;
  return { ...(linked ? withCall(state, task.call, (call) => ({ ...call, task: task.id })) : state), tasks, builds };
}

function withChangeSet(state: SessionState, id: string, now: 'undone' | 'applied'): SessionState {
  return { ...state, changeSets: state.changeSets.map((set) => (set.id === id ? { ...set, state: now } : set)) };
}

function rewound(state: SessionState, event: EventOf<'session.rewound'>, at: string): SessionState {
  const { rewind, moved, talk, notice } = event;
  const moving = moved.reduce((now, { changeSet, to }) => withChangeSet(now, changeSet, to), state);
  const back = talk
    ? { ...moving, ...talk, items: truncate(moving.items, talk.items), turn: null, liveCalls: {}, context: null }
    : moving;
  return withItem({ ...back, rewound: rewind, updatedAt: at }, { kind: 'notice', at, ...notice });
}

function withFacts(state: SessionState, facts: Partial<PhaseFacts & { steps: readonly PlanStep[] }>): SessionState {
  return { ...state, facts: { ...state.facts, ...facts } };
}

function withItem(state: SessionState, item: Item): SessionState {
  return { ...state, items: append(state.items, item) };
}

function withCall(state: SessionState, id: string | undefined, change: (call: Call) => Call): SessionState {
  const index = id === undefined ? undefined : state.liveCalls[id];
  const item = index === undefined ? undefined : itemAt(state.items, index);
  if (index === undefined || item?.kind !== 'call') return state;
  return { ...state, items: replaceAt(state.items, index, { kind: 'call', call: change(item.call) }) };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.every((entry) => a.includes(entry)) ? a : [...new Set([...a, ...b])];
}

/** The calls that are not finished, oldest first. */
export function liveCallsOf(state: SessionState): readonly Call[] {
  return Object.values(state.liveCalls)
    .toSorted((a, b) => a - b)
    .map((index) => itemAt(state.items, index))
    .flatMap((item) => (item?.kind === 'call' ? [item.call] : []));
}

/** All calls from a timeline index on, oldest first. */
export function callsOf(state: SessionState, from = 0): readonly Call[] {
  return [...itemsOf(state.items, from)].flatMap((item) => (item.kind === 'call' ? [item.call] : []));
}
