import type { Outcome, WrittenCall } from '../../../shared/model/event.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Failure, Result } from '../../../shared/result.ts';
import type { Clock } from '../base/clock.ts';
import type { ModelClient, ModelRequest } from '../model/port.ts';
import { type FinishedCall, runCalls } from '../tools/runCalls.ts';
import type { CallContext } from '../tools/runTool.ts';
import { askModel, type Reply } from './askModel.ts';
import { finishInterrupted } from './interruptedCalls.ts';
import { afterCall, onText, phaseName } from './phases.ts';
import { countRepeats, repeatLimit } from './repeatedCalls.ts';
import type { Session } from './session.ts';

/** What a turn uses; everything else of the engine is none of its business. */
export interface TurnParts {
  readonly session: Session;
  readonly clock: Clock;
  readonly settings: () => Settings;
  /** The client for the session's provider now; remade when the settings change. */
  readonly model: () => Promise<Result<ModelClient>>;
  readonly buildRequest: (client: ModelClient) => Promise<ModelRequest>;
  readonly context: CallContext;
}

interface End {
  readonly outcome: Outcome;
  readonly text: string;
  readonly status?: 'answered' | 'unverified';
  readonly error?: Failure;
}

const emptyReplyHint = 'The reply was empty. Call a tool, or say in words what is the matter.';
const cutReplyHint = 'The reply was cut off at the length limit. Go on from there.';
/** Replies in a row that are empty or cut off before the turn is given up. */
const uselessLimit = 3;

/** From the person's message until the agent rests. Always ends with exactly one `turn.finished`. */
export async function runTurn(parts: TurnParts, turn: string, signal: AbortSignal): Promise<void> {
  const { session } = parts;
  const end = await loop(parts, turn, signal);
  session.emit({
    type: 'turn.finished',
    turn,
    outcome: end.outcome,
    text: end.text,
    ...(end.status ? { status: end.status } : {}),
    ...(end.error ? { error: { code: end.error.code, message: end.error.message } } : {}),
  });
}

async function loop(parts: TurnParts, turn: string, signal: AbortSignal): Promise<End> {
  const { session, context } = parts;
  const pending = pendingCalls(session.state);
  if (pending.length > 0) {
    const ended = await runReply(parts, pending, turn, signal);
    if (ended) return ended;
  }
  let plainReplies = 0;
  let useless = 0;
  for (;;) {
    if (signal.aborted) return cancelled;
    takeQueued(session, turn);
    const overrun = iterationsUsedUp(session.state);
    if (overrun) {
      session.emit({ type: 'phase.changed', from: session.state.facts.phase, to: 'FAILED', cause: overrun.text });
      return overrun;
    }
    const client = await parts.model();
    if (!client.ok) return failed(client.error);
    const request = await parts.buildRequest(client.value);
    const asked = await askModel(client.value, request, turn, session.emit, parts.clock.now, signal);
    if (signal.aborted) return keepPartial(session, turn);
    if (!asked.ok) return failed(asked.error);
    if (asked.reply.scriptEnded) return { outcome: 'done', text: lastWords(session.state) };
    record(session, turn, asked.reply);
    const closing = session.state.mode === 'phased' && session.state.facts.phase === 'DONE';
    if (closing) return { outcome: 'done', text: closingText(session.state, asked.reply) };
    if (asked.reply.calls.length > 0) {
      plainReplies = 0;
      useless = 0;
      const ended = await runReply(parts, asked.reply.calls, turn, signal);
      if (ended) return ended;
      continue;
    }
    if (asked.reply.text.trim() === '' || asked.reply.reason === 'length') {
      useless += 1;
      if (useless >= uselessLimit) return failed(uselessReplies);
      context.emit(systemMessage(turn, asked.reply.reason === 'length' ? cutReplyHint : emptyReplyHint));
      continue;
    }
    plainReplies += 1;
    const verdict = onText(session.state.mode, session.state.facts.phase, plainReplies);
    if (verdict.kind === 'hint') context.emit(systemMessage(turn, verdict.text));
    else if (session.state.queue.length === 0) {
      return { outcome: 'done', text: asked.reply.text, ...(verdict.status ? { status: verdict.status } : {}) };
    }
  }
}

const cancelled: End = { outcome: 'cancelled', text: '' };
const uselessReplies: Failure = {
  code: 'PROVIDER_BAD_RESPONSE',
  message: `The model answered ${uselessLimit} times in a row with nothing usable. Try again, or choose another model.`,
};

function failed(error: Failure): End {
  return error.code === 'CANCELLED' ? cancelled : { outcome: 'failed', text: error.message, error };
}

function systemMessage(turn: string, text: string): { type: 'message'; turn: string; role: 'system'; text: string } {
  return { type: 'message', turn, role: 'system', text };
}

/** What was streamed before the stop stays in the conversation: the person has read it. */
function keepPartial(session: Session, turn: string): End {
  const { turn: running } = session.state;
  if (running?.text) session.emit({ type: 'message', turn, role: 'assistant', text: running.text });
  return cancelled;
}

function record(session: Session, turn: string, { text, reasoning, calls, usage }: Reply): void {
  session.emit({
    type: 'message',
    turn,
    role: 'assistant',
    text,
    ...(reasoning ? { reasoning } : {}),
    ...(calls.length > 0 ? { calls } : {}),
  });
  if (usage.requests > 0) session.emit({ type: 'usage', turn, usage });
  const { mode, facts } = session.state;
  if (mode === 'phased' && facts.phase !== 'DONE') {
    session.emit({ type: 'iteration.counted', iterations: facts.iterations + 1, maxIterations: facts.maxIterations });
  }
}

/** The calls of the last reply that have no result yet: all of them, or what a restart left over. */
export function pendingCalls(state: SessionState): readonly WrittenCall[] {
  const answered = new Set<string>();
  let calls: readonly WrittenCall[] = [];
  for (const item of itemsOf(state.items, lastReply(state))) {
    if (item.kind === 'assistant') calls = item.calls;
    if (item.kind === 'call' && item.call.state === 'finished') answered.add(item.call.id);
  }
  return calls.filter((call) => !answered.has(call.id));
}

function lastReply(state: SessionState): number {
  let at = 0;
  let index = 0;
  for (const item of itemsOf(state.items)) {
    if (item.kind === 'assistant' || item.kind === 'user') at = index;
    index += 1;
  }
  return at;
}

async function runReply(
  parts: TurnParts,
  calls: readonly WrittenCall[],
  turn: string,
  signal: AbortSignal,
): Promise<End | undefined> {
  const { session, context } = parts;
  const past = new Map(callsOf(session.state).map((call) => [call.id, call]));
  const repeated = stopRepeats(parts, calls, turn);
  if (repeated.ended) return repeated.ended;
  const fresh = finishInterrupted(repeated.calls, past, context);
  await runCalls(fresh, context, signal, parts.settings().agent.parallelCalls, past, (finished) =>
    settle(session, turn, finished),
  );
  if (signal.aborted) return cancelled;
  const { mode, facts } = session.state;
  if (mode === 'phased' && facts.phase === 'FAILED') {
    const text = failureText(session.state);
    return { outcome: 'failed', text, error: { code: 'TOOL_EXECUTION_FAILED', message: text } };
  }
  return undefined;
}

/** Phases follow calls. Answers false when the rest of the reply is to be dropped. */
function settle(session: Session, turn: string, { call, planned, result }: FinishedCall): boolean {
  const { mode, facts } = session.state;
  const written = session.state.changeSets.filter((set) => set.call === call.id).flatMap((set) => set.files);
  const move = afterCall(mode, facts, {
    tool: call.tool,
    result,
    written: written.filter((file) => file.verdict !== 'rejected').map((file) => file.path),
  });
  for (const event of move.events) session.emit(event);
  if (move.to) {
    session.emit(systemMessage(turn, `Phase: ${facts.phase} -> ${move.to}. The tools have changed with it.`));
  }
  const hidden = planned.state === 'refused' && planned.failure.code === 'PHASE_FORBIDDEN' && !planned.intent;
  if (hidden)
    session.emit(
      systemMessage(
        turn,
        `${call.tool} is not a tool of ${phaseName(mode, facts.phase)}; what followed it in the reply was not run.`,
      ),
    );
  return !hidden;
}

function stopRepeats(
  parts: TurnParts,
  calls: readonly WrittenCall[],
  turn: string,
): { readonly calls: readonly WrittenCall[]; readonly ended?: End } {
  const { session, context } = parts;
  const earlier = callsOf(session.state).filter((past) => past.turn === turn && past.state === 'finished');
  const kept: WrittenCall[] = [];
  for (const call of calls) {
    const repeats = countRepeats(call, earlier);
    if (repeats === 0) {
      kept.push(call);
      continue;
    }
    const text =
      repeats >= repeatLimit
        ? `Stopped: ${call.tool} was called ${repeats + 1} times with the same input and nothing had changed in between. Tell the agent how to go on.`
        : 'Repeated call blocked: nothing has changed since it was made before. Its result is above; do something else.';
    context.emit({
      type: 'tool.proposed',
      call: call.id,
      turn,
      tool: call.tool,
      level: 'none',
      input: call.input ?? null,
    });
    context.emit({
      type: 'tool.finished',
      call: call.id,
      tool: call.tool,
      result: { success: false, error: { code: 'LIMIT_EXCEEDED', message: text } },
    });
    if (repeats >= repeatLimit) {
      return { calls: kept, ended: { outcome: 'blocked', text, error: { code: 'LIMIT_EXCEEDED', message: text } } };
    }
  }
  return { calls: kept };
}

/** Messages typed while the turn ran join the conversation at the next step. */
function takeQueued(session: Session, turn: string): void {
  for (const queued of session.state.queue) {
    session.emit({ type: 'message.unqueued', id: queued.id });
    session.emit({
      type: 'message',
      turn,
      role: 'user',
      text: queued.text,
      ...(queued.attachments ? { attachments: queued.attachments } : {}),
    });
  }
}

function iterationsUsedUp({ mode, facts }: SessionState): End | undefined {
  if (mode !== 'phased' || facts.phase === 'DONE' || facts.iterations < facts.maxIterations) return undefined;
  const text = `Task failed: exceeded ${facts.maxIterations} iterations.`;
  return { outcome: 'failed', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
}

function lastWords(state: SessionState): string {
  let text = '';
  for (const item of itemsOf(state.items)) if (item.kind === 'assistant' && item.text !== '') ({ text } = item);
  return text;
}

function closingText(state: SessionState, reply: Reply): string {
  if (reply.text.trim() !== '' && reply.calls.length === 0) return reply.text;
  const report = callsOf(state).findLast((call) => call.tool === 'report_done' && call.result?.success);
  const data = report?.result?.success ? report.result.data : undefined;
  return typeof data === 'object' && data !== null && 'summary' in data ? String(data.summary) : 'The task is done.';
}

function failureText(state: SessionState): string {
  let cause = 'the task failed';
  for (const item of itemsOf(state.items)) if (item.kind === 'phase' && item.to === 'FAILED') cause = item.cause;
  return `Task failed: ${cause}.`;
}
