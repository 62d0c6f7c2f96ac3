import { placeIn } from '../base/place.ts';
import { msOf } from '../base/readDuration.ts';
import { failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';
import { attribute, elementsOf, xmlText } from '../base/xml.ts';

const text = (body: string, name: string) => xmlText(elementsOf(body, name).elements[0]?.body ?? '');

/** The results file of `dotnet test --logger trx`. */
export function parseTrx(source: string): TestSummary | undefined {
  const start = source.search(/<TestRun[\s>]/);
  if (start === -1) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  let durationMs = 0;
  const read = elementsOf(source.slice(start), 'UnitTestResult');
  for (const { tag, body } of read.elements) {
    durationMs += msOf(attribute(tag, 'duration')) ?? 0;
    const outcome = attribute(tag, 'outcome');
    if (outcome === 'Passed') counts.passed += 1;
    else if (['NotExecuted', 'Inconclusive', 'NotRunnable', 'Pending'].includes(outcome ?? '')) counts.skipped += 1;
    else {
      counts.failed += 1;
      failures.push(
        failureOf(attribute(tag, 'testName') ?? '', placeIn(text(body, 'StackTrace')), text(body, 'Message')),
      );
    }
  }
  return summaryOf('trx', counts, failures, { durationMs, incomplete: read.cut });
}
