import type { Hint, SessionEvent } from '../../../shared/model/event.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { Failure } from '../../../shared/result.ts';
import type { FinishReason, ModelClient, ModelRequest } from '../model/base/port.ts';
import { type Asked, askModel, type Reply, spent } from './askModel.ts';
import { withCallsInText } from './callsInText.ts';
import { pendingReply, repliesInWords } from './pendingReply.ts';
import { moveByHand } from './phaseEntry.ts';
import { onText } from './phases.ts';
import { createRepeatCounter } from './repeatedCalls.ts';
import { judgeSteps, runReply, type TurnRun } from './runReply.ts';
import type { Session } from './session.ts';
import { systemMessage } from './settleCall.ts';
import type { TurnDeps } from './turnDeps.ts';
import {
  cancelled,
  closingText,
  type End,
  failed,
  finished,
  iterationsUsedUp,
  lastWords,
  taskFailed,
  wholeText,
} from './turnEnd.ts';

const emptyReply = 'The reply was empty. Call a tool, or say in words what is the matter.';
const cutReply = 'The reply was cut off at the length limit. Go on exactly where it ended, without repeating anything.';
/** Empty replies in a row before the turn is given up. */
const emptyLimit = 3;
/** Replies in a row that are cut off at the length limit, of which the answer is put together. */
const cutLimit = 8;

/** From the person's message until the agent rests. Always ends with exactly one `turn.finished`. */
export async function runTurn(parts: TurnDeps, turn: string, signal: AbortSignal): Promise<void> {
  const { session } = parts;
  const end = await untilRest(parts, turn, signal);
  session.emit({
    type: 'turn.finished',
    turn,
    outcome: end.outcome,
    text: end.text,
    status: end.status,
    open: end.open,
    ...(end.error ? { error: { code: end.error.code, message: end.error.message } } : {}),
  });
}

/** A hook may want more than the agent does; what it says then is the next thing that the model reads. */
async function untilRest(parts: TurnDeps, turn: string, signal: AbortSignal): Promise<End> {
  const { session, hooks, settings } = parts;
  for (;;) {
    const end = await loop(parts, turn, signal);
    const said = await hooks.onStop(end, signal);
    if (signal.aborted) return cancelled;
    if (said === undefined) return end;
    const { mode, facts } = session.state;
    const again =
      mode === 'phased'
        ? moveByHand(facts, 'EXPLORING', settings().agent.maxIterations, 'a hook wants more').events
        : [];
    session.emitTogether([...again, systemMessage(turn, said)]);
  }
}

async function loop(parts: TurnDeps, turn: string, signal: AbortSignal): Promise<End> {
  const { session } = parts;
  const run: TurnRun = {
    deps: parts,
    turn,
    signal,
    countRepeats: createRepeatCounter(turn),
    changedByCommands: new Set(),
  };
  const left = pendingReply(session.state);
  if (left.kind === 'calls') {
    const past = new Map(callsOf(session.state).map((call) => [call.id, call]));
    const ended = await runReply(run, left.calls, past);
    if (ended) return ended;
  }
  if (left.kind === 'text') {
    const ended = settleText(run, { text: left.text, reason: 'stop' });
    if (ended) return ended;
  }
  judgeSteps(run); // of a reply whose last call ended just before a restart
  for (let requests = 0; ; requests += 1) {
    if (signal.aborted) return cancelled;
    takeQueued(session, turn);
    const over =
      taskFailed(session.state) ??
      overrun(session) ??
      endedByHook(parts, turn) ??
      (await parts.mayAsk(turn, requests, signal));
    if (over) return over;
    const client = await parts.model();
    if (!client.ok) return failed(client.error);
    const { asked, request } = await askWithinWindow(parts, client.value, turn, signal);
    if (signal.aborted) return keepPartial(session, turn);
    if (!asked.ok) return failed(asked.error);
    const reply = await withCallsInText(asked.reply, client.value, request);
    if (reply.scriptEnded) return endWith(run, { text: lastWords(session.state) });
    const isClosing = session.state.mode === 'phased' && session.state.facts.phase === 'DONE';
    record(parts, turn, request, reply);
    if (isClosing) return endWith(run, { text: closingText(session.state, { ...reply, calls: reply.calls.length }) });
    const ended = reply.calls.length > 0 ? await runReply(run, reply.calls) : settleText(run, reply);
    if (ended) return ended;
  }
}

/** One request; what the provider refuses as too long is made shorter and sent once more. */
async function askWithinWindow(parts: TurnDeps, client: ModelClient, turn: string, signal: AbortSignal) {
  const { session, clock } = parts;
  const ask = (request: ModelRequest): Promise<Asked> =>
    askModel(client, request, turn, session.emit, () => clock.now(), signal);
  let request = await parts.buildRequest(client);
  if (await parts.compact(client, request, turn, signal)) request = await parts.buildRequest(client);
  const asked = await ask(request);
  if (asked.ok || signal.aborted || !isOverflow(asked.error)) return { asked, request };
  if (!(await parts.compact(client, request, turn, signal, asked.error.message))) return { asked, request };
  request = await parts.buildRequest(client);
  return { asked: await ask(request), request };
}

function isOverflow({ details }: Failure): boolean {
  return typeof details === 'object' && details !== null && 'cause' in details && details.cause === 'overflow';
}

function endedByHook({ hooks }: TurnDeps, turn: string): End | undefined {
  const text = hooks.ended(turn);
  return text === undefined
    ? undefined
    : { outcome: 'blocked', text, error: { code: 'PERMISSION_DENIED', message: text } };
}

function overrun(session: Session): End | undefined {
  const end = iterationsUsedUp(session.state);
  if (end) session.emit({ type: 'phase.changed', from: session.state.facts.phase, to: 'FAILED', cause: end.text });
  return end;
}

const uselessReplies: Failure = {
  code: 'PROVIDER_BAD_RESPONSE',
  message: `The model answered ${emptyLimit} times in a row with nothing usable. Try again, or choose another model.`,
};

const stillCut = `The answer is cut: the model reached its length limit ${cutLimit} times in a row.`;

interface Words {
  readonly text: string;
  readonly reason: FinishReason;
  readonly malformed?: string | undefined;
  readonly malformedNative?: boolean | undefined;
}

/** What follows from a recorded reply without calls: the end, or a hint and another round. */
function settleText(run: TurnRun, { text, reason, malformed, malformedNative = false }: Words): End | undefined {
  const {
    deps: { session },
    turn,
  } = run;
  const { mode, facts, queue } = session.state;
  const { count, hints } = repliesInWords(session.state);
  const ask = (hint: Hint, said: string): void => session.emit({ ...systemMessage(turn, said), hint });
  if (mode === 'phased' && facts.phase === 'DONE')
    return endWith(run, { text: closingText(session.state, { text, calls: 0 }) });
  const asked = (wanted: Hint): number => hints.filter((hint) => hint === wanted).length + 1;
  if (text.trim() === '') {
    if (asked('empty') >= emptyLimit) return failed(uselessReplies);
    ask('empty', emptyReply);
    return undefined;
  }
  if (reason === 'length' && asked('cut') < cutLimit) {
    ask('cut', cutReply);
    return undefined;
  }
  // In text mode a client has corrected it already: what remains is the answer where words may be one.
  const isDue = malformedNative || (mode === 'phased' && facts.phase !== 'VERIFYING');
  if (malformed !== undefined && isDue) {
    if (hints.includes('malformed')) return malformedTwice(session, malformed);
    ask(
      'malformed',
      `The reply held no tool call that could be read (${malformed}). Write one complete call ${malformedNative ? 'through the interface for tools, not as text' : 'in the form that was shown'}.`,
    );
    return undefined;
  }
  const verdict = onText(mode, facts, count);
  if (verdict.kind === 'hint') ask('phase', verdict.text);
  else if (queue.length === 0) {
    const open = reason === 'length' ? [stillCut] : [];
    return endWith(run, { text: wholeText(session.state), status: verdict.status, open });
  }
  return undefined;
}

function endWith({ deps: { session, context }, turn }: TurnRun, end: Pick<End, 'text' | 'status' | 'open'>): End {
  const isWriter = (tool: string): boolean => {
    const found = context.toolset.find(tool);
    return (found?.category === 'file' || found?.category === 'patch') && found.permission !== 'none';
  };
  return finished(session.state, turn, end, isWriter);
}

function malformedTwice(session: Session, error: string): End {
  const message = `Model output was not a valid tool call (${error})`;
  const { mode, facts } = session.state;
  if (mode === 'phased') session.emit({ type: 'phase.changed', from: facts.phase, to: 'FAILED', cause: message });
  return { outcome: 'failed', text: message, error: { code: 'PROVIDER_BAD_RESPONSE', message } };
}

/** What was streamed before the stop stays in the conversation: the person has read it. */
function keepPartial(session: Session, turn: string): End {
  const { turn: running } = session.state;
  if (running?.text) session.emit({ type: 'message', turn, role: 'assistant', text: running.text });
  return cancelled;
}

/** The reply with what it cost and its iteration, as one line of the journal. */
function record({ session, measure }: TurnDeps, turn: string, request: ModelRequest, reply: Reply): void {
  const { text, reasoning, reasoningDetails, calls, usage } = reply;
  const events: SessionEvent[] = [
    {
      type: 'message',
      turn,
      role: 'assistant',
      text,
      ...(reasoning ? { reasoning } : {}),
      reasoningDetails,
      ...(calls.length > 0 ? { calls } : {}),
    },
    { type: 'usage', turn, usage, ...spent(usage), ...measure(request, reply) },
  ];
  const { mode, facts } = session.state;
  if (mode === 'phased' && facts.phase !== 'DONE') {
    const { iterations, maxIterations } = facts;
    events.push({ type: 'iteration.counted', iterations: iterations + 1, maxIterations });
  }
  session.emitTogether(events);
}

/** Messages typed while the turn ran join the conversation at the next step. */
function takeQueued(session: Session, turn: string): void {
  for (const { id, text, attachments } of session.state.queue) {
    session.emitTogether([
      { type: 'message.unqueued', id },
      { type: 'message', turn, role: 'user', text, attachments },
    ]);
  }
}
