import type { Call } from './call.ts';
import type { Envelope, EventOf } from './event.ts';
import type { PhaseFacts, PlanStep } from './phase.ts';
import { type Item, noFacts, type SessionState } from './sessionState.ts';
import { finalTaskStates, type Task } from './task.ts';
import { isBetweenTasks } from './taskOver.ts';
import { append, itemAt, itemsOf, replaceAt, timelineLength } from './timeline.ts';
import { addUsage } from './usage.ts';

const outputTail = 4000;
const keptTasks = 200;
const keptFilesRead = 200;

/**
 * The one reducer, used by the engine, the journal's replay and every mirror. Pure: the same facts give the same
 * state everywhere.
 */
export function reduce(state: SessionState, { event, at }: Envelope): SessionState {
  switch (event.type) {
    case 'session.started':
      return {
        ...state,
        id: event.id,
        project: event.project,
        title: event.title,
        mode: event.mode,
        provider: event.provider,
        model: event.model,
        createdAt: at,
        updatedAt: at,
      };
    case 'session.renamed':
      return { ...state, title: event.title, updatedAt: at };
    case 'session.archived':
      return { ...state, archived: event.archived, updatedAt: at };
    case 'session.configured':
      return {
        ...state,
        mode: event.mode ?? state.mode,
        provider: event.provider ?? state.provider,
        model: event.model ?? state.model,
        allow: event.allow ?? state.allow,
        effort: event.effort ?? state.effort,
        maxCost: event.maxCost ?? state.maxCost,
      };
    case 'turn.started':
      return turnStarted(state, event, at);
    case 'turn.interrupted':
      return { ...state, turn: null, interrupted: event.turn };
    case 'text.delta':
      return state.turn ? { ...state, turn: { ...state.turn, text: state.turn.text + event.text } } : state;
    case 'reasoning.delta':
      return state.turn ? { ...state, turn: { ...state.turn, reasoning: state.turn.reasoning + event.text } } : state;
    case 'text.restarted':
      return state.turn ? { ...state, turn: { ...state.turn, text: '', reasoning: '' } } : state;
    case 'message':
      return messageWritten(state, event, at);
    case 'message.queued': {
      const { id, text, attachments } = event;
      return { ...state, queue: [...state.queue, { id, text, ...(attachments ? { attachments } : {}) }] };
    }
    case 'message.unqueued':
      return { ...state, queue: state.queue.filter((queued) => queued.id !== event.id) };
    case 'phase.changed':
      return {
        ...withItem(state, { kind: 'phase', at, from: event.from, to: event.to, cause: event.cause }),
        facts: { ...state.facts, phase: event.to },
      };
    case 'findings.reported':
      return withFacts(state, {
        findings: [...state.facts.findings, ...event.findings],
        constraints: union(state.facts.constraints, event.constraints),
        filesRead: union(state.facts.filesRead, event.files),
      });
    case 'plan.reported':
      return withFacts(state, {
        steps: event.steps,
        replans: state.facts.replans + (event.replan ? 1 : 0),
      });
    case 'step.changed':
      return withFacts(state, {
        steps: state.facts.steps.map((step) => (step.id === event.step.id ? event.step : step)),
      });
    case 'iteration.counted':
      return withFacts(state, { iterations: event.iterations, maxIterations: event.maxIterations });
    case 'tool.proposed':
      return callProposed(state, event, at);
    case 'permission.asked':
      return withCall(state, event.call, (call) => ({ ...call, state: 'waiting', approval: event.approval }));
    case 'permission.answered':
      return withCall(state, event.call, (call) => ({ ...call, state: 'proposed', answer: event.answer }));
    case 'permission.granted':
      return { ...state, grants: { tools: event.tools, rules: event.rules } };
    case 'tool.started':
      return withCall(state, event.call, (call) => ({ ...call, state: 'running', startedAt: at }));
    case 'tool.output':
      return withCall(state, event.call, (call) => ({
        ...call,
        output: ((call.output ?? '') + event.text).slice(-outputTail),
      }));
    case 'tool.finished':
      return callFinished(state, event, at);
    case 'change.applied':
      return changeApplied(state, event, at);
    case 'change.undone':
    case 'change.redone': {
      const now = event.type === 'change.undone' ? 'undone' : 'applied';
      return {
        ...state,
        changeSets: state.changeSets.map((set) => (set.id === event.changeSet ? { ...set, state: now } : set)),
      };
    }
    case 'task.queued':
    case 'task.started':
    case 'task.backgrounded':
    case 'task.changed':
    case 'task.ended':
      return withTask(state, event.task);
    case 'task.removed': {
      const { [event.task]: _gone, ...tasks } = state.tasks;
      return { ...state, tasks };
    }
    case 'usage':
      return {
        ...state,
        usage: addUsage(state.usage, event.usage),
        context:
          event.contextTokens === undefined
            ? state.context
            : {
                tokens: event.contextTokens,
                limit: event.contextLimit ?? 0,
                ...(event.contextCounted ? { counted: event.contextCounted } : {}),
              },
      };
    case 'context.compacted':
      return { ...state, compacted: { upTo: event.upTo, summary: event.summary } };
    case 'notice': {
      const { level, code, text, until } = event;
      return withItem(state, { kind: 'notice', at, level, code, text, ...(until ? { until } : {}) });
    }
    case 'turn.finished': {
      const { turn, outcome, open, error } = event;
      return {
        ...withItem(state, { kind: 'end', turn, at, outcome, open, error }),
        turn: null,
        lastOutcome: outcome,
        updatedAt: at,
      };
    }
    default:
      // An event of a newer version: keep the state rather than lose the session. The type is `never` here.
      return unknownEvent(event, state);
  }
}

function unknownEvent(_event: never, state: SessionState): SessionState {
  return state;
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
  const over = kind === 'init' || isBetweenTasks(state);
  return withItem(over ? { ...started, facts: { ...noFacts, phase: state.facts.phase } } : started, {
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
  }));
  const { [event.call]: index = -1, ...liveCalls } = finished.liveCalls;
  const item = itemAt(finished.items, index);
  const read = item?.kind === 'call' ? fileRead(item.call) : undefined;
  return { ...(read === undefined ? finished : withFileRead(finished, read)), liveCalls };
}

/** The file whose content a call brought, told from what it showed and answered, whatever the tool. */
function fileRead({ intent, result }: Call): string | undefined {
  const [target, ...others] = intent?.targets ?? [];
  if (target?.kind !== 'path' || others.length > 0 || intent?.effects.join() !== 'reads' || !result?.success)
    return undefined;
  const { data } = result;
  const hasContent = typeof data === 'object' && data !== null && 'content' in data && typeof data.content === 'string';
  return hasContent ? target.path : undefined;
}

function withFileRead(state: SessionState, path: string): SessionState {
  const { filesRead } = state.facts;
  if (filesRead.length >= keptFilesRead || filesRead.includes(path)) return state;
  return withFacts(state, { filesRead: [...filesRead, path] });
}

function changeApplied(state: SessionState, event: EventOf<'change.applied'>, at: string): SessionState {
  const { changeSet: id, call, calls, turn, files } = event;
  const written = files.filter((file) => file.verdict !== 'rejected').map((file) => file.path);
  const linked = (calls ?? [call]).reduce(
    (now, one) => withCall(now, one, (known) => ({ ...known, changeSet: id })),
    state,
  );
  return {
    ...linked,
    changeSets: [...state.changeSets, { id, call, ...(calls ? { calls } : {}), turn, at, files, state: 'applied' }],
    facts: { ...state.facts, filesModified: union(state.facts.filesModified, written) },
  };
}

function withTask(state: SessionState, task: Task): SessionState {
  const tasks = { ...state.tasks, [task.id]: task };
  const known = Object.values(tasks);
  const oldest = known.length > keptTasks ? known.find((other) => finalTaskStates.includes(other.state)) : undefined;
  if (oldest) delete tasks[oldest.id];
  const linked = task.call !== undefined && state.liveCalls[task.call] !== undefined;
  return { ...(linked ? withCall(state, task.call, (call) => ({ ...call, task: task.id })) : state), tasks };
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
    .flatMap((index) => {
      const item = itemAt(state.items, index);
      return item?.kind === 'call' ? [item.call] : [];
    });
}

/** All calls from a timeline index on, oldest first. */
export function callsOf(state: SessionState, from = 0): readonly Call[] {
  return [...itemsOf(state.items, from)].flatMap((item) => (item.kind === 'call' ? [item.call] : []));
}
