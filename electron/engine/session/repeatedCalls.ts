import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';

/** How often the same call is pointed out before the turn ends with a question (seed 004: warn twice, end the third time). */
export const repeatLimit = 3;

/** Tools that are meant to be called again with the same input: they look at something that moves by itself. */
const pollers =
  /^(check_background_task|list_background_tasks|get_background_output|getBackgroundTask\w+|browser_\w+|ask_user|cache_\w+)$/;

/**
 * How many times this call was made before in the turn with nothing done in between that could change its result. A
 * write or a command in between makes it a new question.
 */
export function countRepeats(call: Pick<WrittenCall, 'tool' | 'input'>, newestFirst: Iterable<Call>): number {
  if (pollers.test(call.tool)) return 0;
  const key = canonicalJson(call.input);
  let repeats = 0;
  for (const past of newestFirst) {
    if (past.tool === call.tool && inputKey(past) === key) repeats += 1;
    else if (
      past.result?.success &&
      past.intent &&
      past.intent.effects.some((effect) => effect === 'writes' || effect === 'executes')
    )
      break;
  }
  return repeats;
}

/** The finished calls of a turn, the newest first. */
export function* finishedCallsOf({ items }: Pick<SessionState, 'items'>, turn: string): Generator<Call> {
  for (let index = timelineLength(items) - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind !== 'call') continue;
    if (item.call.turn !== turn) return; // turns never run side by side
    if (item.call.state === 'finished') yield item.call;
  }
}

const keys = new WeakMap<Call, string>();

/** Made once a call: each further call of the turn is compared with all before it. */
function inputKey(past: Call): string {
  const key = keys.get(past) ?? canonicalJson(past.input);
  keys.set(past, key);
  return key;
}

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : entry,
    ) ?? 'undefined'
  );
}
