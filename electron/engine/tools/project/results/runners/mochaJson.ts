import * as z from 'zod';
import { jsonReports } from '../base/jsonReports.ts';
import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf } from '../base/testSummary.ts';

const report = z.lazy(() =>
  z.object({
    stats: z.object({ passes: z.number(), failures: z.number(), pending: z.number(), duration: z.number().optional() }),
    failures: z.array(
      z.object({
        fullTitle: z.string(),
        file: z.string().nullish(),
        err: z.object({ message: z.string().optional(), stack: z.string().optional() }).default({}),
      }),
    ),
  }),
);

/** Mocha's json reporter. */
export const parseMochaJson = jsonReports(/"fullTitle"|"passes"/, report, ({ stats, failures: told }) => {
  const { passes, failures: failed, pending, duration } = stats;
  const failures = told.map(({ fullTitle, file, err }) => {
    const place = placeIn(err.stack ?? '');
    return failureOf(fullTitle, place ?? { file: file ?? undefined }, err.message);
  });
  return summaryOf('mocha', { passed: passes, failed, skipped: pending }, failures, { durationMs: duration });
});
