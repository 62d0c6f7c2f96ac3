import * as z from 'zod';
import { jsonDocuments } from '../base/jsonDocuments.ts';
import { placeIn } from '../base/place.ts';
import { failureOf, joinSummaries, summaryOf, type TestSummary } from '../base/summary.ts';

const report = z.object({
  stats: z.object({ passes: z.number(), failures: z.number(), pending: z.number(), duration: z.number().optional() }),
  failures: z.array(
    z.object({
      fullTitle: z.string(),
      file: z.string().nullish(),
      err: z.object({ message: z.string().optional(), stack: z.string().optional() }).default({}),
    }),
  ),
});

/** Mocha's json reporter. */
export function parseMochaJson(text: string): TestSummary | undefined {
  if (!text.includes('"fullTitle"') && !text.includes('"passes"')) return undefined;
  const [first, ...rest] = jsonDocuments(text).flatMap((value) => {
    const parsed = report.safeParse(value);
    if (!parsed.success) return [];
    const { passes, failures: failed, pending, duration } = parsed.data.stats;
    const failures = parsed.data.failures.map(({ fullTitle, file, err }) => {
      const place = placeIn(err.stack ?? '');
      return failureOf(fullTitle, place ?? { file: file ?? undefined }, err.message);
    });
    return [summaryOf('mocha', { passed: passes, failed, skipped: pending }, failures, { durationMs: duration })];
  });
  return first && joinSummaries([first, ...rest]);
}
