import { z } from 'zod';
import { summarize } from './statistics.ts';

/** The one line that a benchmark prints. `ours` and `reference` are medians; min, median and p95 are ours. */
export const resultLine = z.strictObject({
  name: z.string(),
  ours: z.number(),
  reference: z.number(),
  ratio: z.number(),
  unit: z.string(),
  runs: z.int().positive(),
  min: z.number(),
  median: z.number(),
  p95: z.number(),
});
export type ResultLine = z.infer<typeof resultLine>;

/** In a smoke run each benchmark only proves that it works: once each, no figure to be trusted. */
export const isSmoke = process.env['VISE_BENCH_SMOKE'] === '1';

const rounded = (value: number): number => Number(value.toPrecision(4));

/** Compares two series of measurements from the same run. */
export function compare(
  name: string,
  unit: string,
  { ours, reference }: { readonly ours: readonly number[]; readonly reference: readonly number[] },
): ResultLine {
  const own = summarize(ours);
  const other = summarize(reference);
  return {
    name,
    ours: rounded(own.median),
    reference: rounded(other.median),
    ratio: rounded(own.median / other.median),
    unit,
    runs: ours.length,
    min: rounded(own.min),
    median: rounded(own.median),
    p95: rounded(own.p95),
  };
}

/** Prints a benchmark's result. */
export function report(line: ResultLine): void {
  console.log(JSON.stringify(resultLine.parse(line)));
}

/**
 * Measures two things by turns, so that what else the machine does hits both alike. The first round warms up caches
 * and is thrown away; a smoke run has one round and no warm-up.
 */
export async function byTurns(
  runs: number,
  measured: { readonly ours: () => Promise<number>; readonly reference: () => Promise<number> },
): Promise<{ readonly ours: readonly number[]; readonly reference: readonly number[] }> {
  const ours: number[] = [];
  const reference: number[] = [];
  const rounds = isSmoke ? 1 : runs + 1;
  for (let round = 0; round < rounds; round += 1) {
    const own = await measured.ours();
    const other = await measured.reference();
    if (round === 0 && !isSmoke) continue;
    ours.push(own);
    reference.push(other);
  }
  return { ours, reference };
}
