import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { ToolResult } from '../../../shared/result.ts';
import type { CallContext } from '../tools/frame/runTool.ts';
import type { EditsOnDisk } from './editsOnDisk.ts';
import { innerCallsOf } from './innerCalls.ts';
import { changesOf, writtenWith } from './proposedChanges.ts';

/** What is asked about the calls, and where their ends go. */
export interface InterruptedReply {
  readonly session: { readonly state: SessionState };
  readonly context: Pick<CallContext, 'emit'>;
  readonly editsOnDisk: EditsOnDisk;
}

/**
 * What a restart found of the calls of a reply. A call that had started and could have done something is never done
 * twice: a change that is on the disk ends with the result it would have had, one of which nothing was written runs
 * again, and of anything else (a command) only so much is said as is known. A call that only read is run again; one that
 * was waiting waits again.
 */
export async function finishInterrupted(
  calls: readonly WrittenCall[],
  past: ReadonlyMap<string, Call>,
  { session, context, editsOnDisk }: InterruptedReply,
): Promise<readonly WrittenCall[]> {
  const left: WrittenCall[] = [];
  for (const call of calls) {
    const known = past.get(call.id);
    const inner = innerCallsOf(call.id, past.values());
    // Nobody comes back for a call within a call: the outer one makes it anew or is not repeated.
    for (const { id, tool, state } of inner)
      if (state !== 'finished') context.emit({ type: 'tool.finished', call: id, tool, result: unknownEffect });
    if (inner.some((one) => one.startedAt !== undefined && hasEffects(one))) {
      context.emit({ type: 'tool.finished', call: call.id, tool: call.tool, result: unknownEffect });
      continue;
    }
    if (known?.state !== 'running' || !hasEffects(known)) {
      left.push(call);
      continue;
    }
    const group = writtenWith(known, [...past.values()]);
    const found = changesOf(known).length === 0 ? 'unknown' : await editsOnDisk.state(known, group);
    if (found === 'untouched') {
      left.push(call);
      continue;
    }
    const now = callsOf(session.state).find(({ id }) => id === call.id) ?? known;
    const result = found === 'written' ? await editsOnDisk.result(now, session.state) : unknownEffect;
    context.emit({ type: 'tool.finished', call: call.id, tool: call.tool, result });
  }
  return left;
}

const unknownEffect: ToolResult = {
  success: false,
  error: {
    code: 'CANCELLED',
    message:
      'Vise ended while this call ran, so what it did is not known and it was not repeated. Look at the state of things before going on.',
  },
};

function hasEffects(call: Call): boolean {
  return call.intent?.effects.some((effect) => effect !== 'reads') ?? false;
}
