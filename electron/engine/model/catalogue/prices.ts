import type { Usage } from '../../../../shared/model/usage.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** For input that came from the provider's prompt cache; like `input` when absent. */
  readonly cached?: number;
  /** For input that was written to the cache; like `input` when absent. */
  readonly cacheWrite?: number;
  readonly output: number;
  /** Other prices for requests with more input than this. */
  readonly above?: readonly ({ readonly tokens: number } & Omit<Price, 'above'>)[];
}

/** In US dollars, for one request. Cached and written input are parts of the input; reasoning is part of the output. */
export function costOf(usage: Usage, price: Price): number {
  const at = priceAt(price, usage.input);
  const writes = usage.cacheWrites ?? 0;
  const fresh = Math.max(0, usage.input - usage.cached - writes);
  return (
    (fresh * at.input +
      usage.cached * (at.cached ?? at.input) +
      writes * (at.cacheWrite ?? at.input) +
      usage.output * at.output) /
    1_000_000
  );
}

/** What the cache saved of one request, in US dollars; less than nothing when only writing to it was paid for. */
export function savedOf(usage: Usage, price: Price): number {
  const at = priceAt(price, usage.input);
  const reads = usage.cached * (at.input - (at.cached ?? at.input));
  return (reads - (usage.cacheWrites ?? 0) * ((at.cacheWrite ?? at.input) - at.input)) / 1_000_000;
}

function priceAt(price: Price, input: number): Price {
  return price.above?.findLast(({ tokens }) => input > tokens) ?? price;
}
