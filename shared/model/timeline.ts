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

/** The number of the chunk that an entry stands in. */
export function chunkOf(index: number): number {
  return Math.floor(index / chunkSize);
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

/** The number of the chunk after the last one that is left out: such a chunk is empty and keeps its place. 0: all are there. */
export function afterLeftOut(timeline: Timeline<unknown>): number {
  return timeline.findLastIndex((chunk) => chunk.length === 0) + 1;
}

/** With chunks in their places from one on, where it has none. */
export function filledFrom<T>(timeline: Timeline<T>, from: number, chunks: Timeline<T>): Timeline<T> {
  return timeline.map((chunk, at) => (chunk.length > 0 ? chunk : (chunks[at - from] ?? chunk)));
}

/** The first `length` items. */
export function truncate<T>(timeline: Timeline<T>, length: number): Timeline<T> {
  const whole = timeline.slice(0, Math.floor(length / chunkSize));
  const rest = timeline[whole.length]?.slice(0, length % chunkSize) ?? [];
  return rest.length > 0 ? [...whole, rest] : whole;
}

export function* itemsOf<T>(timeline: Timeline<T>, from = 0): Generator<T> {
  for (let at = Math.floor(from / chunkSize); at < timeline.length; at += 1) {
    const chunk = timeline[at] ?? [];
    for (let i = at === Math.floor(from / chunkSize) ? from % chunkSize : 0; i < chunk.length; i += 1) {
      yield chunk[i] as T; // i is below the chunk's length
    }
  }
}
