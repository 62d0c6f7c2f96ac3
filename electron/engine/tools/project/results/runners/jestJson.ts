import * as z from 'zod';
import { jsonReports } from '../base/jsonReports.ts';
import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, type TestFailure } from '../base/testSummary.ts';

const report = z.lazy(() =>
  z.object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numPendingTests: z.number().default(0),
    numTodoTests: z.number().default(0),
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string().optional(),
        message: z.string().nullish(),
        startTime: z.number().optional(),
        endTime: z.number().optional(),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            location: z.object({ line: z.number() }).nullish(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    ),
  }),
);

/** `jest --json` and vitest's json reporter. */
export const parseJestJson = jsonReports(/"numPassedTests"/, report, (read) => {
  const failures: TestFailure[] = [];
  let unloaded = 0;
  for (const { name: file, status, message, assertionResults } of read.testResults) {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    for (const { fullName, location, failureMessages } of failed) {
      const said = failureMessages?.[0] ?? '';
      failures.push(failureOf(fullName, { file, line: lineIn(said, file) ?? location?.line }, said));
    }
    // A file that could not be loaded has no tests, only what went wrong.
    if (failed.length === 0 && status === 'failed') {
      unloaded += 1;
      failures.push(failureOf(file, { file, line: lineIn(message ?? '', file) }, message ?? 'could not be loaded'));
    }
  }
  const counts = {
    passed: read.numPassedTests,
    failed: read.numFailedTests + unloaded,
    skipped: read.numPendingTests + read.numTodoTests,
  };
  const starts = read.testResults.flatMap(({ startTime }) => startTime ?? []);
  const ends = read.testResults.flatMap(({ endTime }) => endTime ?? []);
  const span = starts.length === 0 || ends.length === 0 ? undefined : Math.max(...ends) - Math.min(...starts);
  return summaryOf('jest', counts, failures, { durationMs: span });
});

/** The line of the test's own file in a stack. */
function lineIn(message: string, file: string): number | undefined {
  const own = message.split('\n').find((line) => line.includes(`${file}:`));
  return own === undefined ? undefined : placeIn(own)?.line;
}
