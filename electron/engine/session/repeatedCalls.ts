import { createHash } from 'node:crypto';
import type { Call } from '../../../shared/model/call.ts';
import type { WrittenCall } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt, itemsOf, timelineLength } from '../../../shared/model/timeline.ts';

/** How often the same call is pointed out before the turn ends with a question: warned of twice, the third time is the end. */
export const repeatLimit = 3;

/** Tools that are meant to be called again with the same input while they succeed: what they look at moves by itself. */
const pollers =
  /^(check_background_task|list_background_tasks|get_background_output|getBackgroundTask\w+|browser_\w+|ask_user|cache_\w+)$/;

/** How many times a call was made before in its turn with nothing done in between that could change its result. */
export type CountRepeats = (state: Pick<SessionState, 'items'>, call: Pick<WrittenCall, 'tool' | 'input'>) => number;

/**
 * Counts for one turn. A write or a command in between makes a call a new question. Looks only at what is new since it
 * was asked, so that the thousandth call of a turn costs what the first did.
 */
export function createRepeatCounter(turn: string): CountRepeats {
  /** How often each call was made since the last that another one could have changed. */
  const counts = new Map<string, number>();
  let next: number | undefined;
  return ({ items }, call) => {
    next ??= startOf(items, turn);
    for (const item of itemsOf(items, next)) {
      // Another phase lets other calls through.
      if (item.kind === 'phase') counts.clear();
      if (item.kind === 'call' && item.call.turn === turn) {
        // A call that has not ended (there was a restart) holds up those behind it: they are looked at the next time.
        if (item.call.state !== 'finished') break;
        add(counts, item.call);
      }
      next += 1;
    }
    return counts.get(keyOf(call)) ?? 0;
  };
}

/**
 * The same for the calls of one reply, asked in their order before any of them has run: those of the reply that stand
 * before a call count with it. `mayChange`: whether a tool can change what another call would see; behind such a call
 * nothing is a repetition but itself.
 */
export function countInReply(
  countRepeats: CountRepeats,
  state: Pick<SessionState, 'items'>,
  mayChange: (tool: string) => boolean,
): (call: Pick<WrittenCall, 'tool' | 'input'>) => number {
  let counts = new Map<string, number>();
  let isChanged = false;
  return (call) => {
    if (pollers.test(call.tool)) return countRepeats(state, call);
    const key = keyOf(call);
    const repeats = counts.get(key) ?? (isChanged ? 0 : countRepeats(state, call));
    if (mayChange(call.tool) && repeats === 0) {
      counts = new Map();
      isChanged = true;
    }
    counts.set(key, repeats + 1);
    return repeats;
  };
}

/** The timeline index of the first call of a turn; the length when it has none yet. Turns never run side by side. */
function startOf(items: SessionState['items'], turn: string): number {
  let start = timelineLength(items);
  for (let index = start - 1; index >= 0; index -= 1) {
    const item = itemAt(items, index);
    if (item?.kind !== 'call') continue;
    if (item.call.turn !== turn) break;
    start = index;
  }
  return start;
}

function add(counts: Map<string, number>, { tool, input, result, intent }: Call): void {
  const key = keyOf({ tool, input });
  if (isReadable({ input })) counts.delete(keyOf({ tool, input: undefined }));
  if (result?.success && pollers.test(tool)) return void counts.delete(key);
  const times = (counts.get(key) ?? 0) + 1;
  const changes = intent?.effects.some((effect) => effect === 'writes' || effect === 'executes') ?? false;
  // What it did may have changed the result of every other call.
  if (result?.success && changes) counts.clear();
  counts.set(key, times);
}

/** Arguments that could not be read are kept as they were written; those of one tool count as the same call. */
export function isReadable({ input }: Pick<WrittenCall, 'input'>): boolean {
  return typeof input === 'object' && input !== null;
}

/** Short even for the call that writes a large file: one is kept for each call of a turn. */
function keyOf({ tool, input }: Pick<WrittenCall, 'tool' | 'input'>): string {
  const key = `${tool} ${isReadable({ input }) ? canonicalJson(input) : ''}`;
  return key.length <= 200 ? key : createHash('sha256').update(key).digest('base64');
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
