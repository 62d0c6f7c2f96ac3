/**
 * A persistent list: appending or replacing one item copies one chunk and the list of chunks, never the whole.
 * A plain array would make the replay of 100,000 facts quadratic.
 */
export type Timeline<T> = readonly (readonly T[])[];

const chunkSize = 128;

export const emptyTimeline: Timeline<never> = [];

export function timelineLength(timeline: Timeline<unknown>): number {
  const last = timeline.at(-1);
  return last ? (timeline.length - 1) * chunkSize + last.length : 0;
}

/** The index in the whole of the entry at `within` of the chunk at `chunk`. */
export function indexIn(chunk: number, within: number): number {
  return chunk * chunkSize + within;
}

export function append<T>(timeline: Timeline<T>, item: T): Timeline<T> {
  const last = timeline.at(-1);
  if (!last || last.length === chunkSize) return [...timeline, [item]];
  return timeline.with(timeline.length - 1, [...last, item]);
}

export function itemAt<T>(timeline: Timeline<T>, index: number): T | undefined {
  return timeline[Math.floor(index / chunkSize)]?.[index % chunkSize];
}

export function replaceAt<T>(timeline: Timeline<T>, index: number, item: T): Timeline<T> {
  const at = Math.floor(index / chunkSize);
  const chunk = timeline[at];
  if (!chunk || index % chunkSize >= chunk.length) return timeline;
  return timeline.with(at, chunk.with(index % chunkSize, item));
}

export function* itemsOf<T>(timeline: Timeline<T>, from = 0): Generator<T> {
  for (let at = Math.floor(from / chunkSize); at < timeline.length; at += 1) {
    const chunk = timeline[at] ?? [];
    for (let i = at === Math.floor(from / chunkSize) ? from % chunkSize : 0; i < chunk.length; i += 1) {
      yield chunk[i] as T; // i is below the chunk's length
    }
  }
}
