import * as z from 'zod';
import { jsonReports } from '../base/jsonReports.ts';
import { failureOf, summaryOf } from '../base/testSummary.ts';

const report = z.lazy(() =>
  z.object({
    examples: z.array(
      z.object({
        full_description: z.string(),
        status: z.string(),
        file_path: z.string(),
        line_number: z.number(),
        exception: z.object({ message: z.string().default('') }).nullish(),
      }),
    ),
    summary: z.object({
      duration: z.number().optional(),
      example_count: z.number(),
      errors_outside_of_examples_count: z.number().default(0),
    }),
  }),
);

/** RSpec's json formatter. */
export const parseRspecJson = jsonReports(/"example_count"/, report, ({ examples, summary }) => {
  const count = (status: string) => examples.filter((one) => one.status === status).length;
  const failures = examples
    .filter(({ status }) => status === 'failed')
    .map(({ full_description: name, file_path: file, line_number: line, exception }) =>
      failureOf(name, { file, line }, exception?.message),
    );
  const failed = count('failed') + summary.errors_outside_of_examples_count;
  const durationMs = summary.duration === undefined ? undefined : summary.duration * 1_000;
  return summaryOf('rspec', { passed: count('passed'), failed, skipped: count('pending') }, failures, { durationMs });
});
