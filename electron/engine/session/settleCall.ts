import type { AppliedFile } from '../../../shared/model/change.ts';
import type { EventOf, SessionEvent } from '../../../shared/model/event.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { todosSchema } from '../../../shared/model/todo.ts';
import { changesOf } from '../edits/proposedChanges.ts';
import { afterCall, phaseName } from './phases.ts';

/**
 * What follows from the end of a call: moves of the phase, steps that are done, words for the model. These facts are
 * written together with the end itself: a crash between them would lose the move and leave the task in the old phase.
 */
export function settleCall(state: SessionState, finished: EventOf<'tool.finished'>, turn: string): SessionEvent[] {
  const { mode, facts } = state;
  const written = writtenBy(state, finished.call);
  const move = afterCall(mode, facts, {
    tool: finished.tool,
    result: finished.result,
    written: written.filter((file) => file.verdict !== 'rejected').map((file) => file.path),
  });
  const events: SessionEvent[] = [...move.events, ...keptTodos(finished)];
  if (move.to) {
    events.push(phaseMessage(turn, facts.phase, move.to));
  }
  if (isHidden(state, finished)) {
    const reason = `${finished.tool} is not a tool of ${phaseName(mode, facts.phase)}; what followed it in the reply was not run.`;
    events.push(...dropRest(state, turn), systemMessage(turn, reason));
  }
  return events;
}

function keptTodos({ tool, result }: EventOf<'tool.finished'>): readonly SessionEvent[] {
  const kept = tool === 'update_todos' && result.success ? todosSchema.safeParse(result.data) : undefined;
  return kept?.success ? [{ type: 'todos.changed', todos: kept.data.todos, by: 'agent' }] : [];
}

/** The files of a call's change sets; where several calls were written together, those that it proposed itself. */
function writtenBy(state: SessionState, call: string): readonly AppliedFile[] {
  return state.changeSets.flatMap((set) => {
    if (!set.calls) return set.call === call ? set.files : [];
    if (!set.calls.includes(call)) return [];
    const known = liveCallsOf(state).find(({ id }) => id === call);
    const own = new Set(known ? changesOf(known).map(({ path }) => path) : []);
    return set.files.filter(({ path }) => own.has(path));
  });
}

/** A tool that the phase does not show was called: the rest of the reply is dropped. */
export function isHidden(state: SessionState, { call, result }: EventOf<'tool.finished'>): boolean {
  if (result.success || result.error.code !== 'PHASE_FORBIDDEN') return false;
  return liveCallsOf(state).find(({ id }) => id === call)?.intent === undefined;
}

/** Every call of a reply gets its answer, also those that are never looked at: else a restart would run them. */
function dropRest(state: SessionState, turn: string): readonly SessionEvent[] {
  const known = new Set<string>();
  let calls: (SessionState['items'][number][number] & { kind: 'assistant' })['calls'] = [];
  for (const item of itemsOf(state.items)) {
    if (item.kind === 'assistant') ({ calls } = item);
    if (item.kind === 'call') known.add(item.call.id);
  }
  return calls
    .filter(({ id }) => !known.has(id))
    .flatMap((call): readonly SessionEvent[] => refusedCall(turn, call, 'CANCELLED', 'This call was not run.'));
}

/** The two facts of a call that is answered without being looked at. */
export function refusedCall(
  turn: string,
  call: { readonly id: string; readonly tool: string; readonly input: unknown },
  code: 'CANCELLED' | 'LIMIT_EXCEEDED',
  message: string,
): readonly SessionEvent[] {
  return [
    { type: 'tool.proposed', call: call.id, turn, tool: call.tool, level: 'none', input: call.input ?? null },
    { type: 'tool.finished', call: call.id, tool: call.tool, result: { success: false, error: { code, message } } },
  ];
}

export function phaseMessage(turn: string, from: Phase, to: Phase): EventOf<'message'> {
  return systemMessage(turn, `Phase: ${from} -> ${to}. The tools have changed with it.`);
}

export function systemMessage(turn: string, text: string): EventOf<'message'> {
  return { type: 'message', turn, role: 'system', text };
}
