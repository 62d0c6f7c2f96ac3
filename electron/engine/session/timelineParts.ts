import type { Item, SessionState } from '../../../shared/model/sessionState.ts';
import { chunkOf, itemAt, type Timeline, timelineLength } from '../../../shared/model/timeline.ts';

/** What one frame brings of a timeline, in characters of JSON, if a single chunk is not longer. */
const partSize = 512 * 1024;

/** Chunks never change, only get replaced: each is measured once. */
const sizes = new WeakMap<readonly Item[], number>();

/** The chunks before one that fit into a frame, at least one. */
export function partBefore(
  items: Timeline<Item>,
  before: number,
): { readonly from: number; readonly items: Timeline<Item> } {
  const from = startOfPart(items, before);
  return { from, items: items.slice(from, before) };
}

/**
 * The state with the newest part of its timeline. With it comes what a reducer may still look at or change: calls that
 * are not finished, and the newest item that is more than a notice.
 */
export function withNewestPart(state: SessionState): SessionState {
  const { items, liveCalls } = state;
  let last = timelineLength(items) - 1;
  while (last > 0 && itemAt(items, last)?.kind === 'notice') last -= 1;
  const needed = Math.min(...Object.values(liveCalls), Math.max(last, 0));
  const from = Math.min(startOfPart(items, items.length), chunkOf(needed));
  return from === 0 ? state : { ...state, items: items.map((chunk, at) => (at < from ? [] : chunk)) };
}

function startOfPart(items: Timeline<Item>, before: number): number {
  let from = Math.min(before, items.length);
  for (let size = 0; from > 0; from -= 1) {
    size += sizeOf(items[from - 1] ?? []);
    if (size > partSize && from < Math.min(before, items.length)) break;
  }
  return from;
}

function sizeOf(chunk: readonly Item[]): number {
  const size = sizes.get(chunk) ?? textSize(chunk);
  sizes.set(chunk, size);
  return size;
}

/** About the length of a value as JSON, without making it. */
function textSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + textSize(entry) + 1, 2);
  let size = 2;
  // Without a list of pairs: of a long session that would be more garbage than the session is large.
  for (const name in value) size += name.length + textSize((value as Readonly<Record<string, unknown>>)[name]) + 4;
  return size;
}
