import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import { finishInterrupted } from '../edits/interruptedCalls.ts';
import { runCalls } from '../edits/runCalls.ts';
import type { CallContext } from '../tools/frame/runTool.ts';
import { type CountRepeats, countInReply, isReadable, repeatLimit } from './repeatedCalls.ts';
import { phaseMessage, refusedCall } from './settleCall.ts';
import { afterReply, isOpen, writtenFiles } from './steps.ts';
import type { TurnDeps } from './turnDeps.ts';
import { cancelled, type End, taskFailed } from './turnEnd.ts';

/** What the replies of one turn share. */
export interface TurnRun {
  readonly deps: TurnDeps;
  readonly turn: string;
  readonly signal: AbortSignal;
  readonly countRepeats: CountRepeats;
  /** Files of open steps that commands have changed. Only edits are known after a restart. */
  readonly changedByCommands: Set<string>;
}

/**
 * Runs the calls of one reply that have no answer yet. Answers the turn's end when they brought it about. `past` is what
 * the journal knows of calls from before a restart; the calls of a new reply have none.
 */
export async function runReply(
  run: TurnRun,
  calls: readonly WrittenCall[],
  past: ReadonlyMap<string, Call> = new Map(),
): Promise<End | undefined> {
  const { deps, signal, changedByCommands } = run;
  const { session, context, stages } = deps;
  const repeated = stopRepeats(run, calls);
  const left = await finishInterrupted(repeated.calls, past, deps);
  let goesOn = true;
  for (const part of partsOf(left, context)) {
    if (!goesOn) break;
    judgeSteps(run);
    const watched = session.state.facts.steps.filter(isOpen).flatMap(({ targetFiles }) => targetFiles);
    const before = await contentsOf(watched, context);
    await runCalls(part, {
      context,
      stages,
      contents: deps.contents,
      signal,
      limit: deps.settings().agent.parallelCalls,
      past,
      finished(planned) {
        // The facts that follow from it were written with the call's end (settleCall).
        goesOn = !(planned.state === 'refused' && planned.failure.code === 'PHASE_FORBIDDEN' && !planned.intent);
        return goesOn;
      },
    });
    const after = await contentsOf(watched, context);
    for (const path of watched) if (before.get(path) !== after.get(path)) changedByCommands.add(path);
  }
  judgeSteps(run);
  if (signal.aborted) return cancelled;
  return repeated.ended ?? taskFailed(session.state);
}

/** The calls, cut before each report: it is judged by what the calls before it have done. */
function partsOf(calls: readonly WrittenCall[], { toolset }: CallContext): readonly (readonly WrittenCall[])[] {
  const parts: WrittenCall[][] = [[]];
  for (const call of calls) {
    if (toolset.find(call.tool)?.category === 'phase') parts.push([]);
    parts.at(-1)?.push(call);
  }
  return parts.filter((part) => part.length > 0);
}

async function contentsOf(paths: readonly string[], { look }: CallContext): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const path of paths) {
    const read = await look.readBytes(path);
    contents.set(path, read.ok ? read.value.hash : read.error.code);
  }
  return contents;
}

/** Which steps of the plan are over after what has been done so far. */
export function judgeSteps({ deps: { session }, turn, changedByCommands }: TurnRun): void {
  const { mode, facts } = session.state;
  const { events, to } = afterReply(mode, facts, {
    sincePlan: [...writtenFiles(session.state, 'plan'), ...changedByCommands],
    inReply: writtenFiles(session.state, 'reply').length > 0,
  });
  if (events.length > 0) session.emitTogether([...events, ...(to ? [phaseMessage(turn, facts.phase, to)] : [])]);
}

function stopRepeats(
  { deps: { session, context }, turn, countRepeats }: TurnRun,
  calls: readonly WrittenCall[],
): { readonly calls: readonly WrittenCall[]; readonly ended?: End } {
  const count = countInReply(countRepeats, session.state, (name) => {
    const tool = context.toolset.find(name);
    return tool?.permission !== 'none' || tool.category === 'phase';
  });
  const kept: WrittenCall[] = [];
  let ended: End | undefined;
  for (const call of calls) {
    const repeats = count(call);
    const isOver = repeats >= repeatLimit;
    // What could not be read is answered with the reason, until it is too much.
    if (repeats === 0 || !(isOver || isReadable(call))) {
      kept.push(call);
      continue;
    }
    const how = isReadable(call)
      ? 'with the same input and nothing had changed in between'
      : 'with arguments that could not be read';
    const text = isOver
      ? `Stopped: ${call.tool} was called ${repeats + 1} times ${how}. Tell the agent how to go on.`
      : 'Repeated call blocked: nothing has changed since it was made before. Use the result of that one, or do something else.';
    session.emitTogether(refusedCall(turn, call, 'LIMIT_EXCEEDED', text));
    if (isOver) ended ??= { outcome: 'blocked', text, error: { code: 'LIMIT_EXCEEDED', message: text } };
  }
  return { calls: kept, ended };
}
