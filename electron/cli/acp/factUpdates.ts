import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Call } from '../../../shared/model/call.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import type { PlanStep } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt } from '../../../shared/model/timeline.ts';
import { bounded, fenced, fileContents, proposedCall, type ReadContent, shown, textContent } from './callView.ts';

export interface FactView {
  /** Once this fact is part of it. */
  readonly state: SessionState;
  /** Just before it. */
  readonly before: SessionState;
  readonly read: ReadContent;
  /** A session that is loaded shows what was said; one that is followed has said it already, piece by piece. */
  readonly isPast: boolean;
  /** The client knows notices. */
  readonly notices: boolean;
}

/** What an editor is told of one fact, in this order. */
export async function factUpdates({ event }: Envelope, view: FactView): Promise<readonly SessionUpdate[]> {
  const { state, read, isPast } = view;
  switch (event.type) {
    case 'turn.started':
      return isPast && event.text !== '' ? [words('user_message_chunk', event.text)] : [];
    case 'text.delta':
      return [words('agent_message_chunk', event.text)];
    case 'reasoning.delta':
      return [words('agent_thought_chunk', event.text)];
    case 'text.restarted':
      return [words('agent_message_chunk', '\n\n')];
    case 'message':
      return isPast ? pastMessage(event) : [];
    case 'phase.changed':
      return [words('agent_thought_chunk', `\n${event.from} → ${event.to}: ${event.cause}\n`), planOf(state)];
    case 'findings.reported':
      return [words('agent_thought_chunk', event.findings.map((finding) => `\n- ${finding}`).join(''))];
    case 'plan.reported':
    case 'step.changed':
    case 'todos.changed':
      return [planOf(state)];
    case 'tool.proposed':
      return [{ sessionUpdate: 'tool_call', ...(await proposedCall(event, state.project, read)) }];
    case 'tool.started':
      return [{ sessionUpdate: 'tool_call_update', toolCallId: event.call, status: 'in_progress' }];
    case 'tool.output':
      return [{ sessionUpdate: 'tool_call_update', toolCallId: event.call, content: outputOf(view, event.call) }];
    case 'tool.finished':
      return [finishedCall(event, view)];
    case 'change.applied':
      return appliedFiles(event, view);
    case 'session.configured':
      return event.mode === undefined ? [] : [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }];
    case 'session.renamed':
      return [{ sessionUpdate: 'session_info_update', title: event.title }];
    case 'usage':
      return usageOf(event, state);
    case 'notice':
      return view.notices
        ? [{ sessionUpdate: 'notice', severity: event.level, title: event.text }]
        : [words('agent_thought_chunk', `\n${event.text}\n`)];
    default:
      return [];
  }
}

export function words(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } };
}

function pastMessage({ role, text, reasoning }: EventOf<'message'>): readonly SessionUpdate[] {
  if (role === 'system') return [];
  const thought = reasoning ? [words('agent_thought_chunk', reasoning)] : [];
  if (text === '') return thought;
  return [...thought, words(role === 'user' ? 'user_message_chunk' : 'agent_message_chunk', text)];
}

const planStatus = {
  pending: 'pending',
  running: 'in_progress',
  done: 'completed',
  // The protocol has no word for these two: the text says it.
  failed: 'pending',
  skipped: 'completed',
} as const satisfies Record<PlanStep['state'], string>;

function planOf({ facts }: SessionState): SessionUpdate {
  const todos = facts.todoList?.todos ?? [];
  const steps = facts.steps.map(({ intent, state, error }) => ({
    content:
      state === 'failed'
        ? `${intent} (failed: ${error ?? 'no reason given'})`
        : state === 'skipped'
          ? `${intent} (skipped)`
          : intent,
    priority: 'medium' as const,
    status: planStatus[state],
  }));
  const entries = [...steps, ...todos.map((todo) => ({ ...todo, priority: 'medium' as const }))];
  return { sessionUpdate: 'plan', entries };
}

/** A call that lives, or was ended by this fact. */
function callIn({ before, state }: FactView, id: string): Call | undefined {
  const index = before.liveCalls[id];
  const item = index === undefined ? undefined : itemAt(state.items, index);
  return item?.kind === 'call' ? item.call : undefined;
}

function outputOf(view: FactView, id: string) {
  return [textContent(fenced(shown(callIn(view, id)?.output ?? '')))];
}

function finishedCall({ call, result }: EventOf<'tool.finished'>, view: FactView): SessionUpdate {
  const update = { sessionUpdate: 'tool_call_update', toolCallId: call } as const;
  if (result.success) return { ...update, status: 'completed', rawOutput: bounded(result.data) };
  const { code, message } = result.error;
  const output = callIn(view, call)?.output ? outputOf(view, call) : [];
  return {
    ...update,
    status: 'failed',
    content: [...output, textContent(shown(`${code}: ${message}`))],
    rawOutput: bounded(result.error),
  };
}

/** Each call with the files that it proposed, as they were written. */
async function appliedFiles(
  { call, calls = [call], files }: EventOf<'change.applied'>,
  view: FactView,
): Promise<readonly SessionUpdate[]> {
  const updates: SessionUpdate[] = [];
  for (const id of calls) {
    const preview = callIn(view, id)?.intent?.preview;
    const own = preview?.kind === 'changes' ? preview.changes.map(({ path }) => path) : [];
    const written = files.filter(({ path }) => calls.length === 1 || own.includes(path));
    updates.push({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      content: await fileContents(written, view.state.project, view.read),
    });
  }
  return updates;
}

function usageOf({ contextTokens, contextLimit }: EventOf<'usage'>, { usage }: SessionState): readonly SessionUpdate[] {
  if (contextTokens === undefined || contextLimit === undefined) return [];
  const cost = usage.cost === undefined ? undefined : { amount: usage.cost, currency: 'USD' };
  return [{ sessionUpdate: 'usage_update', used: contextTokens, size: contextLimit, ...(cost && { cost }) }];
}
