import { failureOf, placeIn, summaryOf, type TestFailure, type TestSummary } from './summary.ts';

/** Test Anything Protocol (testanything.org), and what node:test makes of it: a suite's own line is not counted. */
export function parseTap(text: string): TestSummary | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^TAP version \d+|^[ \t]*1\.\.\d+/.test(line))) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: TestFailure[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const point = /^([ \t]*)(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/.exec(lines[at] ?? '');
    if (!point) continue;
    const [, indent = '', not, rest = ''] = point;
    const [, name = rest, directive = ''] = /^(.*?)(?:\s+#\s*(SKIP|TODO)\b.*)?$/i.exec(rest) ?? [];
    const detail = detailAfter(lines, at + 1, indent);
    if (/^[ \t]*type: 'suite'/m.test(detail)) continue;
    if (directive !== '') counts.skipped += 1;
    else if (not === undefined) counts.passed += 1;
    else {
      counts.failed += 1;
      const location = /^[ \t]*location: '?(.+?):(\d+):\d+'?$/m.exec(detail);
      const place = location ? { file: location[1], line: Number(location[2]) } : placeIn(detail);
      failures.push(failureOf(name, place, messageOf(detail)));
    }
  }
  return summaryOf('tap', counts, failures);
}

/** The YAML block below a test point. */
function detailAfter(lines: readonly string[], from: number, indent: string): string {
  if ((lines[from] ?? '').trimEnd() !== `${indent}  ---`) return '';
  const end = lines.findIndex((line, at) => at > from && line.trimEnd() === `${indent}  ...`);
  return lines.slice(from + 1, end === -1 ? from + 200 : end).join('\n');
}

function messageOf(detail: string): string | undefined {
  const found = /^([ \t]*)(?:error|message):\s*(.*)$/m.exec(detail);
  if (!found) return undefined;
  const [whole, indent = '', value = ''] = found;
  if (!/^[|>]-?$/.test(value)) return value.replace(/^(['"])(.*)\1$/s, '$2');
  const after = detail.slice(found.index + whole.length + 1).split('\n');
  const end = after.findIndex((line) => line.trim() !== '' && !line.startsWith(`${indent} `));
  return after
    .slice(0, end === -1 ? 20 : end)
    .map((line) => line.trim())
    .join('\n');
}
