import { failureOf, placeIn, summaryOf, type TestFailure, type TestSummary } from './summary.ts';

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plain(text: string): string {
  const [, data] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text) ?? [];
  if (data !== undefined) return data;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|amp));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? plain(found[1] ?? found[2] ?? '') : undefined;
}

/** JUnit's XML, as most runners can print it: counted by its cases, since suites may be nested. */
export function parseJunitXml(text: string): TestSummary | undefined {
  const start = text.search(/<testsuites?[\s>]/);
  if (start === -1) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  for (const part of text
    .slice(start)
    .split(/<testcase(?=[\s>])/)
    .slice(1)) {
    const end = part.indexOf('>');
    if (end === -1) break;
    const tag = part.slice(0, end);
    const body = tag.endsWith('/') ? '' : (part.slice(end + 1).split('</testcase>', 1)[0] ?? '');
    const fault = /<(?:failure|error)(?=[\s/>])([^>]*)>/.exec(body);
    if (fault) {
      counts.failed += 1;
      const content = plain(body.slice(fault.index + fault[0].length).split(/<\/(?:failure|error)>/, 1)[0] ?? '');
      const file = attribute(tag, 'file');
      const line = Number(attribute(tag, 'line'));
      const place = file === undefined ? placeIn(content) : { file, line: line > 0 ? line : placeIn(content)?.line };
      const name = [attribute(tag, 'classname'), attribute(tag, 'name')].filter(Boolean).join(' ');
      failures.push(failureOf(name, place, attribute(fault[0], 'message') ?? content));
    } else if (/<skipped(?=[\s/>])/.test(body)) counts.skipped += 1;
    else counts.passed += 1;
  }
  return summaryOf('junit', counts, failures);
}
