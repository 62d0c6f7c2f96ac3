import type { Call } from '../../shared/model/call.ts';
import type { Item } from '../../shared/model/sessionState.ts';
import type { Timeline } from '../../shared/model/timeline.ts';

/** One line of the conversation as it is drawn. */
export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly item: Exclude<Item, { kind: 'call' }> }
  | { readonly kind: 'call'; readonly key: string; readonly call: Call }
  /** Neighbouring calls that only looked and went well: one line until opened. */
  | { readonly kind: 'looked'; readonly key: string; readonly calls: readonly Call[] };

/** Chunks of a timeline never change, only get replaced: what was made of one is kept with it. */
const made = new WeakMap<readonly Item[], readonly Row[]>();

/** The rows of a conversation. Only chunks that changed are walked again. */
export function rowsOf(items: Timeline<Item>): readonly Row[] {
  return items.flatMap((chunk, at) => {
    const known = made.get(chunk);
    if (known) return known;
    const rows = rowsOfChunk(chunk, at);
    made.set(chunk, rows);
    return rows;
  });
}

function rowsOfChunk(chunk: readonly Item[], at: number): readonly Row[] {
  const rows: Row[] = [];
  chunk.forEach((item, index) => {
    const last = rows.at(-1);
    if (item.kind === 'call') {
      if (onlyLooked(item.call) && last && last.kind !== 'item') {
        const before = last.kind === 'looked' ? last.calls : onlyLooked(last.call) ? [last.call] : undefined;
        if (before) {
          rows[rows.length - 1] = { kind: 'looked', key: last.key, calls: [...before, item.call] };
          return;
        }
      }
      rows.push({ kind: 'call', key: item.call.id, call: item.call });
      return;
    }
    // What the model is told of a new phase stands in the divider above it already.
    if (item.kind === 'system' && last?.kind === 'item' && last.item.kind === 'phase') return;
    // A reply of calls alone has nothing to read; its calls follow.
    if (item.kind === 'assistant' && item.text.trim() === '' && !item.reasoning) return;
    rows.push({ kind: 'item', key: `${at}.${index}`, item });
  });
  return rows;
}

/** A finished call that read and nothing else: by its effects, never by its name. */
function onlyLooked(call: Call): boolean {
  return (
    call.state === 'finished' &&
    call.result?.success === true &&
    call.intent !== undefined &&
    call.intent.effects.length > 0 &&
    call.intent.effects.every((effect) => effect === 'reads') &&
    call.intent.preview.kind === 'none' &&
    call.approval === undefined
  );
}
