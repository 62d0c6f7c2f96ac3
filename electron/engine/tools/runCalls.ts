import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { Intent, Target } from '../../../shared/model/intent.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { lookAfter } from '../workspace/lookOver.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { type CallContext, type PlannedCall, planCall, runTool } from './runTool.ts';
import { canStack, sharePath } from './stackedProposal.ts';

export interface FinishedCall {
  readonly call: WrittenCall;
  readonly planned: PlannedCall;
  readonly result: ToolResult;
}

interface Running {
  readonly call: string;
  readonly intent: Intent;
  readonly changes: readonly ProposedChange[];
  /** Its question is answered, or it needed none. Until then a proposal disturbs nobody. */
  isThrough: boolean;
  promise: Promise<void>;
}

/**
 * The calls of one reply: side by side where they cannot meet, one after the other where they touch the same target.
 * A call that must wait is planned again after it has waited, so that what is shown is what it will find. Proposals that
 * have no answer yet are waited for by no other proposal: it is shown on top of them, so that all edits of a reply can
 * be judged together.
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
    const planned = await planInTurn(call, context, running, limit);
    if (!goOn) break;
    const entry: Running = {
      call: call.id,
      intent: planned.intent ?? harmless,
      changes: planned.state === 'ready' ? planned.changes : [],
      isThrough: planned.state === 'refused',
      promise: Promise.resolve(),
    };
    entry.promise = runTool(planned, watched(context, entry), signal, past.get(call.id)).then((result) => {
      running.delete(entry);
      if (!finished({ call, planned, result })) goOn = false;
    });
    running.add(entry);
    // What comes after a report or a refusal is looked at in the phase that it leaves behind, or not at all.
    if (planned.state === 'refused' || planned.tool.category === 'phase') await entry.promise;
  }
  await Promise.all([...running].map(({ promise }) => promise));
}

function watched(context: CallContext, entry: Running): CallContext {
  return {
    ...context,
    async pass(call, signal) {
      try {
        return await context.pass(call, signal);
      } finally {
        entry.isThrough = true;
      }
    },
  };
}

const harmless: Intent = { risk: 'none', effects: [], targets: [], summary: '', preview: { kind: 'none' } };

/** The plan of a call once nothing stands in its way any more. */
async function planInTurn(
  call: WrittenCall,
  context: CallContext,
  running: ReadonlySet<Running>,
  limit: number,
): Promise<PlannedCall> {
  for (;;) {
    const below = [...running].filter(isOpenProposal);
    const planned = await planOver(call, below, context);
    const blockers = blockersOf(planned, running, limit);
    if (blockers.length > 0) await Promise.all(blockers);
    // Answered while it was planned: what it was planned over may not come true.
    else if (below.every((entry) => !entry.isThrough)) return planned;
    else await Promise.all(below.filter(({ isThrough }) => isThrough).map(({ promise }) => promise));
  }
}

function isOpenProposal({ changes, isThrough }: Running): boolean {
  return changes.length > 0 && !isThrough;
}

async function planOver(call: WrittenCall, below: readonly Running[], context: CallContext): Promise<PlannedCall> {
  const over = (changes: readonly ProposedChange[]): Promise<PlannedCall> =>
    planCall(call, { ...context, look: lookAfter(context.look, changes) });
  const planned = await over(below.flatMap(({ changes }) => changes));
  if (planned.state === 'refused') return planned;
  const lower = below.filter(({ changes }) => sharePath(changes, planned.changes));
  if (lower.length === 0) return planned;
  return {
    ...planned,
    async again() {
      await Promise.all(lower.map((entry) => context.settled(entry.call, call.id)));
      return over(lower.flatMap((entry) => context.given(entry.call)));
    },
  };
}

function blockersOf(planned: PlannedCall, running: ReadonlySet<Running>, limit: number): readonly Promise<void>[] {
  const { intent } = planned;
  const all = [...running];
  // A report moves the phase: what stands before it in the reply ends first.
  if (planned.state === 'ready' && planned.tool.category === 'phase') return all.map(({ promise }) => promise);
  // What does not fit now may fit the file that is just being written.
  if (planned.state === 'refused' && planned.tool && planned.failure.code !== 'PHASE_FORBIDDEN')
    return all.filter(({ changes, isThrough }) => changes.length > 0 && isThrough).map(({ promise }) => promise);
  if (intent) {
    const changes = planned.state === 'ready' ? planned.changes : [];
    const meeting = all.filter(
      (other) => meets(other.intent, intent) && !(isOpenProposal(other) && canStack(other.changes, changes)),
    );
    if (meeting.length > 0) return meeting.map(({ promise }) => promise);
  }
  const busy = all.filter((entry) => !isOpenProposal(entry));
  return busy.length >= limit ? [Promise.race(busy.map(({ promise }) => promise))] : [];
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
