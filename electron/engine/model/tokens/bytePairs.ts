/** Ranks as `gpt-tokenizer` has them: at each rank the bytes of a token, as text where they are whole characters. */
export type Ranks = readonly (string | readonly number[])[];

/** Counts the tokens of a text; special tokens in it are ordinary text, as in a message. */
export type CountTokens = (text: string) => number;

/**
 * Byte pair encoding as OpenAI's tokenizers do it: the text is split by a pattern, each piece is one token or is merged
 * from its bytes, lowest rank first. Takes n log n even for a piece of a million letters.
 */
export function createCountTokens(ranks: Ranks, split: RegExp): CountTokens {
  const rankOf = new Map<string, number>();
  for (const [rank, token] of ranks.entries()) rankOf.set(bytesOf(token), rank);
  const known = new Map<string, number>();
  return (text) => {
    let tokens = 0;
    for (const [piece] of text.matchAll(split)) {
      let count = known.get(piece);
      if (count === undefined) {
        const bytes = bytesOf(piece);
        count = rankOf.has(bytes) ? 1 : countMerged(bytes, rankOf);
        if (piece.length <= maxKnownLength && known.size < maxKnown) known.set(piece, count);
      }
      tokens += count;
    }
    return tokens;
  };
}

/** Words come again: a bounded memory of them spares most of the merging. */
const maxKnown = 50_000;
const maxKnownLength = 40;

/** One character a byte. */
function bytesOf(token: string | readonly number[]): string {
  return (typeof token === 'string' ? Buffer.from(token) : Buffer.from(token as number[])).toString('latin1');
}

/** Merges pairs of neighbours, the lowest rank first and of equal ones the leftmost, until none is a token. */
function countMerged(bytes: string, rankOf: ReadonlyMap<string, number>): number {
  const size = bytes.length;
  const next = Int32Array.from({ length: size + 1 }, (_, at) => at + 1);
  const previous = Int32Array.from({ length: size + 1 }, (_, at) => at - 1);
  const isGone = new Uint8Array(size);
  const heap = new PairHeap();
  /** The pair that begins at `at`; undefined at the end. */
  const offer = (at: number): void => {
    const middle = next[at] ?? size;
    if (middle >= size) return;
    const end = next[middle] ?? size;
    const rank = rankOf.get(bytes.slice(at, end));
    if (rank !== undefined) heap.push(rank, at, end);
  };
  for (let at = 0; at < size - 1; at += 1) offer(at);
  let tokens = size;
  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const { at, end } = pair;
    const middle = next[at] ?? size;
    // A neighbour has been merged since: this pair is no more.
    if (isGone[at] === 1 || middle >= size || next[middle] !== end) continue;
    isGone[middle] = 1;
    next[at] = end;
    previous[end] = at;
    tokens -= 1;
    offer(at);
    const before = previous[at] ?? -1;
    if (before >= 0) offer(before);
  }
  return tokens;
}

interface Pair {
  readonly rank: number;
  readonly at: number;
  readonly end: number;
}

/** A binary heap, the lowest rank on top, then the leftmost. */
class PairHeap {
  readonly #pairs: Pair[] = [];

  push(rank: number, at: number, end: number): void {
    const pair = { rank, at, end };
    let place = this.#pairs.length;
    this.#pairs.push(pair);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#pairs[parent];
      if (!above || !isLess(pair, above)) break;
      this.#pairs[place] = above;
      place = parent;
    }
    this.#pairs[place] = pair;
  }

  pop(): Pair | undefined {
    const top = this.#pairs[0];
    const last = this.#pairs.pop();
    if (!top || !last || this.#pairs.length === 0) return top;
    const size = this.#pairs.length;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [a, b] = [this.#pairs[left], this.#pairs[left + 1]];
      const child = left + 1 < size && a && b && isLess(b, a) ? left + 1 : left;
      const below = this.#pairs[child];
      if (!below || !isLess(below, last)) break;
      this.#pairs[place] = below;
      place = child;
    }
    this.#pairs[place] = last;
    return top;
  }
}

function isLess(a: Pair, b: Pair): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.at < b.at);
}
