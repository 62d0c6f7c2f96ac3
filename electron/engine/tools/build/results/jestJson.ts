import * as z from 'zod';
import { failureOf, placeIn, summaryOf, type TestSummary } from './summary.ts';

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().default(0),
  numTodoTests: z.number().default(0),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().default(''),
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
});

/** `jest --json` and vitest's json reporter, possibly with lines of the package manager around it. */
export function parseJestJson(text: string): TestSummary | undefined {
  const start = text.search(/\{\s*"num(?:Failed|Passed|Total)/);
  if (start === -1) return undefined;
  const end = text.lastIndexOf('}');
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined; // cut, or something else
  }
  const parsed = report.safeParse(value);
  if (!parsed.success) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = parsed.data;
  const failures = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, location, failureMessages }) => {
        const message = failureMessages?.[0] ?? '';
        return failureOf(fullName, { file, line: lineIn(message, file) ?? location?.line }, message);
      }),
  );
  const counts = { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
  return summaryOf('jest', counts, failures);
}

/** The line of the test's own file in a stack. */
function lineIn(message: string, file: string): number | undefined {
  const own = message.split('\n').find((line) => line.includes(`${file}:`));
  return own === undefined ? undefined : placeIn(own)?.line;
}
