import type { Call } from '../../shared/model/call.ts';
import { waitTogether } from '../../shared/model/questions.ts';
import type { Item } from '../../shared/model/sessionState.ts';
import { indexIn, type Timeline } from '../../shared/model/timeline.ts';

/** One line of the conversation as it is drawn. */
export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly at: number; readonly item: Exclude<Item, { kind: 'call' }> }
  | { readonly kind: 'call'; readonly key: string; readonly call: Call }
  /** Neighbouring calls that only looked and went well: one line until opened. */
  | { readonly kind: 'looked'; readonly key: string; readonly calls: readonly Call[] }
  /** Neighbouring calls that wait for one answer: edits of one change set, or commands that are alike. */
  | { readonly kind: 'waiting'; readonly key: string; readonly calls: readonly Call[] }
  /** Neighbouring edits that were written together, and are taken back together. */
  | { readonly kind: 'written'; readonly key: string; readonly changeSet: string; readonly calls: readonly Call[] };

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
      const joined = last && joinedRow(last, item.call);
      if (joined) {
        rows[rows.length - 1] = joined;
        return;
      }
      rows.push({ kind: 'call', key: item.call.id, call: item.call });
      return;
    }
    // What the model is told of a new phase stands in the divider above it already.
    if (item.kind === 'system' && last?.kind === 'item' && last.item.kind === 'phase') return;
    // A reply of calls alone has nothing to read; its calls follow.
    if (item.kind === 'assistant' && item.text.trim() === '' && !item.reasoning) return;
    rows.push({ kind: 'item', key: `${at}.${index}`, at: indexIn(at, index), item });
  });
  return rows;
}

/** The last row with this call in it, where both are of one kind that is drawn together. */
function joinedRow(last: Row, call: Call): Row | undefined {
  if (last.kind === 'item') return undefined;
  const before = last.kind === 'call' ? [last.call] : last.calls;
  const { changeSet } = call;
  if (
    changeSet !== undefined &&
    isWritten(call) &&
    before.every((one) => isWritten(one) && one.changeSet === changeSet)
  )
    return { kind: 'written', key: last.key, changeSet, calls: [...before, call] };
  const calls = [...before, call];
  if (calls.every(onlyLooked)) return { kind: 'looked', key: last.key, calls };
  if (before.every((one) => waitTogether(one, call))) return { kind: 'waiting', key: last.key, calls };
  return undefined;
}

const isWritten = ({ state, result }: Call): boolean => state === 'finished' && result?.success === true;

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
