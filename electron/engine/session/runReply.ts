import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import { finishInterrupted } from '../edits/interruptedCalls.ts';
import { runCalls } from '../edits/runCalls.ts';
import { type CountRepeats, countInReply, repeatLimit } from './repeatedCalls.ts';
import { refusedCall } from './settleCall.ts';
import type { TurnDeps } from './turnDeps.ts';
import { cancelled, type End, taskFailed } from './turnEnd.ts';

/**
 * Runs the calls of one reply that have no answer yet. Answers the turn's end when they brought it about. `past` is what
 * the journal knows of calls from before a restart; the calls of a new reply have none.
 */
export async function runReply(
  parts: TurnDeps,
  calls: readonly WrittenCall[],
  turn: string,
  signal: AbortSignal,
  countRepeats: CountRepeats,
  past: ReadonlyMap<string, Call> = new Map(),
): Promise<End | undefined> {
  const { session, context, stages } = parts;
  const repeated = stopRepeats(parts, calls, turn, countRepeats);
  const left = await finishInterrupted(repeated.calls, past, parts);
  await runCalls(left, {
    context,
    stages,
    signal,
    limit: parts.settings().agent.parallelCalls,
    past,
    // The facts that follow from it were written with the call's end (settleCall).
    finished: (planned) =>
      !(planned.state === 'refused' && planned.failure.code === 'PHASE_FORBIDDEN' && !planned.intent),
  });
  if (signal.aborted) return cancelled;
  return repeated.ended ?? taskFailed(session.state);
}

function stopRepeats(
  { session, context }: TurnDeps,
  calls: readonly WrittenCall[],
  turn: string,
  countRepeats: CountRepeats,
): { readonly calls: readonly WrittenCall[]; readonly ended?: End } {
  const count = countInReply(countRepeats, session.state, (tool) => context.toolset.find(tool)?.permission !== 'none');
  const kept: WrittenCall[] = [];
  let ended: End | undefined;
  for (const call of calls) {
    const repeats = count(call);
    if (repeats === 0) {
      kept.push(call);
      continue;
    }
    const isOver = repeats >= repeatLimit;
    const text = isOver
      ? `Stopped: ${call.tool} was called ${repeats + 1} times with the same input and nothing had changed in between. Tell the agent how to go on.`
      : 'Repeated call blocked: nothing has changed since it was made before. Use the result of that one, or do something else.';
    session.emitTogether(refusedCall(turn, call, 'LIMIT_EXCEEDED', text));
    if (isOver) ended ??= { outcome: 'blocked', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
  }
  return { calls: kept, ended };
}
