import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { CallContext } from '../tools/runTool.ts';

/**
 * What a restart found of the calls of a reply. A call that had started and could have done something is never run
 * twice: it ends with what is known. A call that only read is run again; one that was waiting waits again.
 */
export function finishInterrupted(
  calls: readonly WrittenCall[],
  past: ReadonlyMap<string, Call>,
  context: CallContext,
): readonly WrittenCall[] {
  return calls.filter((call) => {
    const known = past.get(call.id);
    if (known?.state !== 'running' || !hasEffects(known)) return true;
    context.emit({
      type: 'tool.finished',
      call: call.id,
      tool: call.tool,
      result: {
        success: false,
        error: {
          code: 'CANCELLED',
          message:
            'Vise ended while this call ran, so what it did is not known and it was not repeated. Look at the state of things before going on.',
        },
      },
    });
    return false;
  });
}

function hasEffects(call: Call): boolean {
  return call.intent?.effects.some((effect) => effect !== 'reads') ?? false;
}
