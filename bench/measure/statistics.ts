/** What many runs of one measurement come to. */
export interface Summary {
  readonly min: number;
  readonly median: number;
  /** Nearest rank: of few runs it is the slowest. */
  readonly p95: number;
}

/** Sums up at least one value. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = Number.isInteger(middle) ? (rank(0.5) + (sorted[middle] ?? Number.NaN)) / 2 : rank(0.5);
  return { min: rank(0), median, p95: rank(0.95) };
}
