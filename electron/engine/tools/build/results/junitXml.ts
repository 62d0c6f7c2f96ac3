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

/** The end of a tag; a `>` within quotes is none. */
function tagEnd(text: string): number {
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  return -1;
}

function faultIn(body: string): { readonly tag: string; readonly after: string } | undefined {
  const start = body.search(/<(?:failure|error)(?=[\s/>])/);
  if (start === -1) return undefined;
  const rest = body.slice(start);
  const end = tagEnd(rest);
  return end === -1 ? undefined : { tag: rest.slice(0, end), after: rest[end - 1] === '/' ? '' : rest.slice(end + 1) };
}

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
  for (const part of text
    .slice(start)
    .split(/<testcase(?=[\s>])/)
    .slice(1)) {
    const end = tagEnd(part);
    if (end === -1) break;
    const tag = part.slice(0, end);
    const body = tag.endsWith('/') ? '' : (part.slice(end + 1).split('</testcase>', 1)[0] ?? '');
    const fault = faultIn(body);
    if (fault) {
      counts.failed += 1;
      const content = plain(fault.after.split(/<\/(?:failure|error)>/, 1)[0] ?? '');
      const file = attribute(tag, 'file');
      const line = Number(attribute(tag, 'line'));
      const stack = ownFrame(content, attribute(tag, 'classname')) ?? content;
      const place = file === undefined ? placeIn(stack) : { file, line: line > 0 ? line : placeIn(stack)?.line };
      const name = [attribute(tag, 'classname'), attribute(tag, 'name')].filter(Boolean).join(' ');
      failures.push(failureOf(name, place, attribute(fault.tag, 'message') ?? content));
    } else if (/<skipped(?=[\s/>])/.test(body)) counts.skipped += 1;
    else counts.passed += 1;
  }
  return summaryOf('junit', counts, failures);
}
