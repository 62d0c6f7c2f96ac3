import * as z from 'zod';
import { jsonReports } from '../base/jsonReports.ts';
import { failureOf, summaryOf, type TestFailure } from '../base/testSummary.ts';

const place = () => z.object({ file: z.string(), line: z.number() });
const spec = z.lazy(() =>
  z.object({
    title: z.string(),
    file: z.string().optional(),
    line: z.number().optional(),
    tests: z.array(
      z.object({
        projectName: z.string().optional(),
        status: z.string(),
        results: z.array(
          z.object({
            error: z.object({ message: z.string().optional(), location: place().optional() }).nullish(),
            errorLocation: place().nullish(),
          }),
        ),
      }),
    ),
  }),
);

interface Suite {
  readonly title: string;
  readonly specs?: readonly z.output<typeof spec>[] | undefined;
  readonly suites?: readonly Suite[] | undefined;
}

const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(spec).optional(), suites: z.array(suite).optional() }),
);

const report = z.lazy(() =>
  z.object({
    suites: z.array(suite),
    errors: z.array(z.object({ message: z.string().optional(), location: place().optional() })).default([]),
    stats: z.object({
      expected: z.number(),
      unexpected: z.number(),
      flaky: z.number(),
      skipped: z.number(),
      duration: z.number().optional(),
    }),
  }),
);

/** Playwright's json reporter; what passed only when tried again has passed. */
export const parsePlaywrightJson = jsonReports(/"unexpected"/, report, ({ suites, errors, stats }) => {
  const outside = errors.map(({ message, location }) => failureOf('outside of any test', location, message));
  const counts = {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + outside.length,
    skipped: stats.skipped,
  };
  const failures = [...suites.flatMap((one) => failuresOf(one, [])), ...outside];
  return summaryOf('playwright', counts, failures, { durationMs: stats.duration });
});

function failuresOf({ title, specs = [], suites = [] }: Suite, above: readonly string[]): readonly TestFailure[] {
  const path = [...above, title].filter((one) => one !== '');
  const own = specs.flatMap(({ title: name, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName, results }) => {
        const last = results.at(-1);
        const where = last?.errorLocation ?? last?.error?.location ?? { file, line };
        const project = projectName ? `[${projectName}] ` : '';
        return failureOf(`${project}${[...path, name].join(' › ')}`, where, last?.error?.message);
      }),
  );
  return [...own, ...suites.flatMap((one) => failuresOf(one, path))];
}
