import { placeIn } from '../base/place.ts';
import { failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';
import { attribute, elementsOf, xmlText } from '../base/xml.ts';

/** The line of a Java stack that lies in the test's own class, before those of the framework. */
function ownFrame(stack: string, classname: string | undefined): string | undefined {
  if (classname === undefined) return undefined;
  return stack.split('\n').find((line) => line.includes(`at ${classname}.`) || line.includes(`at ${classname}$`));
}

/** JUnit's XML, as most runners can print it: counted by its cases, since suites may be nested. */
export function parseJunitXml(text: string): TestSummary | undefined {
  const start = text.search(/<testsuites?[\s>]/);
  if (start === -1) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  let seconds = 0;
  const read = elementsOf(text.slice(start), 'testcase');
  for (const { tag, body } of read.elements) {
    seconds += Number(attribute(tag, 'time') ?? 0) || 0;
    const [fault] = [...elementsOf(body, 'failure').elements, ...elementsOf(body, 'error').elements];
    if (fault) {
      counts.failed += 1;
      const content = xmlText(fault.body);
      const file = attribute(tag, 'file');
      const line = Number(attribute(tag, 'line') ?? attribute(tag, 'lineno'));
      const stack = ownFrame(content, attribute(tag, 'classname')) ?? content;
      const place = file === undefined ? placeIn(stack) : { file, line: line > 0 ? line : placeIn(stack)?.line };
      const name = [attribute(tag, 'classname'), attribute(tag, 'name')].filter(Boolean).join(' ');
      failures.push(failureOf(name, place, attribute(fault.tag, 'message') || content));
    } else if (/<(?:skipped|disabled)(?=[\s/>])/.test(body) || attribute(tag, 'status') === 'notrun')
      counts.skipped += 1;
    else counts.passed += 1;
  }
  if (read.elements.length === 0 && !/<\/testsuites?>|<testsuites?[^>]*\/>/.test(text)) return undefined;
  return summaryOf('junit', counts, failures, { durationMs: seconds * 1_000, incomplete: read.cut });
}
