import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { Intent, Target } from '../../../shared/model/intent.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { type CallContext, type PlannedCall, planCall, runTool } from './runTool.ts';

export interface FinishedCall {
  readonly call: WrittenCall;
  readonly planned: PlannedCall;
  readonly result: ToolResult;
}

interface Running {
  readonly intent: Intent;
  readonly promise: Promise<void>;
}

/**
 * The calls of one reply: side by side where they cannot meet, one after the other where they touch the same target.
 * A call that must wait is planned again after it has waited, so that what is shown is what it will find.
 * `past` holds what the journal knows of calls that were proposed before a restart. `finished` runs after each call, in the order they end; it may stop the rest by answering false.
 */
export async function runCalls(
  calls: readonly WrittenCall[],
  context: CallContext,
  signal: AbortSignal,
  limit: number,
  past: ReadonlyMap<string, Call>,
  finished: (call: FinishedCall) => boolean,
): Promise<void> {
  const running = new Set<Running>();
  let goOn = true;
  for (const call of calls) {
    if (!goOn) break;
    let planned = await planCall(call, context);
    for (;;) {
      const blockers = blockersOf(planned, running, limit);
      if (blockers.length === 0) break;
      await Promise.all(blockers);
      planned = await planCall(call, context);
    }
    if (!goOn) break;
    const entry: Running = {
      intent: planned.intent ?? harmless,
      promise: runTool(planned, context, signal, past.get(call.id)).then((result) => {
        running.delete(entry);
        if (!finished({ call, planned, result })) goOn = false;
      }),
    };
    running.add(entry);
    // What comes after a report or a refusal is looked at in the phase that it leaves behind, or not at all.
    if (planned.state === 'refused' || planned.tool.category === 'phase') await entry.promise;
  }
  await Promise.all([...running].map(({ promise }) => promise));
}

const harmless: Intent = { risk: 'none', effects: [], targets: [], summary: '', preview: { kind: 'none' } };

function blockersOf(planned: PlannedCall, running: ReadonlySet<Running>, limit: number): readonly Promise<void>[] {
  const { intent } = planned;
  // A report moves the phase: what stands before it in the reply ends first.
  if (planned.state === 'ready' && planned.tool.category === 'phase') return [...running].map(({ promise }) => promise);
  if (intent) {
    const meeting = [...running].filter((other) => meets(other.intent, intent)).map(({ promise }) => promise);
    if (meeting.length > 0) return meeting;
  }
  return running.size >= limit ? [Promise.race([...running].map(({ promise }) => promise))] : [];
}

/** Whether two calls could disturb each other, the first being under way. */
export function meets(first: Intent, second: Intent): boolean {
  if (harmlessTogether(first, second)) return false;
  if (isOpen(first) || isOpen(second)) return true;
  return first.targets.some((a) => second.targets.some((b) => sameTarget(a, b)));
}

/** Readers never disturb each other, and commands proven to read only count as readers. */
function harmlessTogether(first: Intent, second: Intent): boolean {
  return isReader(first) && isReader(second);
}

function isReader(intent: Intent): boolean {
  if (intent.effects.includes('writes')) return false;
  return !intent.effects.includes('executes') || isReadOnlyCommand(intent);
}

/** Nobody knows what such a command touches, so it meets everything that is no reader, and every reader. */
function isOpen(intent: Intent): boolean {
  return intent.effects.includes('executes') && !isReadOnlyCommand(intent);
}

function isReadOnlyCommand(intent: Intent): boolean {
  return intent.effects.includes('reads');
}

function sameTarget(a: Target, b: Target): boolean {
  if (a.kind === 'command' || b.kind === 'command') return true; // a reading command may read anything
  if (a.kind !== 'path' || b.kind !== 'path')
    return a.kind === b.kind && a.kind !== 'path' && JSON.stringify(a) === JSON.stringify(b);
  if (a.access === 'read' && b.access === 'read') return false;
  return (
    a.path === b.path ||
    a.path.startsWith(`${b.path}/`) ||
    b.path.startsWith(`${a.path}/`) ||
    a.path === '.' ||
    b.path === '.'
  );
}
