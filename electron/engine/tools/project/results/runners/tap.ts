import { placeIn } from '../base/place.ts';
import { failureOf, joinSummaries, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

interface Point {
  readonly depth: number;
  readonly isOk: boolean;
  readonly name: string;
  readonly directive: string;
  readonly detail: string;
  /** A suite or a test with subtests: its own line repeats what they told. */
  readonly isParent: boolean;
  /** Its subtests come after it, in braces. */
  readonly opens: boolean;
}

/** Test Anything Protocol (testanything.org), versions 12 to 14, and what node:test makes of it. */
export function parseTap(text: string): TestSummary | undefined {
  if (!/^(?:TAP version \d+|1\.\.\d+)\b|^(?:not )?ok \d+(?: - | #|$)/m.test(text)) return undefined;
  // A producer begins anew with its version.
  const streams = text
    .split(/^(?=TAP version \d+)/m)
    .filter((part) => /^[ \t]*(?:not )?ok\b|^1\.\.\d+|^Bail out!/m.test(part));
  const [first, ...rest] = streams.map(summaryOfStream);
  return first ? joinSummaries([first, ...rest]) : summaryOf('tap', { passed: 0, failed: 0, skipped: 0 }, []);
}

function summaryOfStream(text: string): TestSummary {
  const points = pointsOf(text.split('\n'));
  const own = points.filter(({ isParent }) => !isParent);
  const counts = {
    passed: own.filter(({ isOk, directive }) => isOk && directive === '').length,
    failed: own.filter(({ isOk, directive }) => !isOk && directive === '').length,
    skipped: own.filter(({ directive }) => directive !== '').length,
  };
  const failures: TestFailure[] = own.filter(({ isOk, directive }) => !isOk && directive === '').map(failureAt);
  const alone = points.filter((point, at) => !point.isOk && point.directive === '' && failsAlone(points, at));
  for (const point of alone) failures.push(failureAt(point));
  const bail = /^[ \t]*Bail out!(.*)/m.exec(text);
  if (bail) failures.push(failureOf('Bail out!', undefined, bail[1]));
  counts.failed += alone.length + (bail ? 1 : 0);
  const whole = /^1\.\.0\b.*#\s*skip/im.test(text);
  const planned = Number(/^1\.\.(\d+)/m.exec(text)?.[1] ?? Number.NaN);
  const reported = points.filter(({ depth }) => depth === 0).length;
  const counted = nodeCounts(text);
  return summaryOf(
    'tap',
    counted ?? (whole && reported === 0 ? { ...counts, skipped: counts.skipped + 1 } : counts),
    failures,
    {
      durationMs: Number(/^# (?:duration_ms |time=)(\d+(?:\.\d+)?)/m.exec(text)?.[1] ?? Number.NaN) || undefined,
      incomplete: planned > reported || (bail === null && Number.isNaN(planned) && counted === undefined),
    },
  );
}

/** What node:test counts itself: its suites are no tests, its tests with subtests are. */
function nodeCounts(text: string) {
  if (!/^# suites \d+$/m.test(text) || !/^# pass \d+$/m.test(text)) return undefined;
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
}

/** A parent may fail by itself: a plan that was not kept, an error after its last subtest. */
function failsAlone(points: readonly Point[], at: number): boolean {
  const parent = points[at];
  if (!parent?.isParent) return false;
  const step = parent.opens ? 1 : -1;
  for (let child = at + step; (points[child]?.depth ?? -1) > parent.depth; child += step) {
    const { isOk, directive } = points[child] ?? parent;
    if (!isOk && directive === '') return false;
  }
  return true;
}

function pointsOf(lines: readonly string[]): readonly Point[] {
  const points: Point[] = [];
  let depth = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const close = /^([ \t]*)\}$/.exec(lines[at] ?? '');
    if (close) depth = close[1]?.length ?? 0;
    const point = /^([ \t]*)(not )?ok\b(?: +\d+)?(?: +-(?= ))? *(.*)$/.exec(lines[at] ?? '');
    if (!point) continue;
    const [, indent = '', not, rest = ''] = point;
    const [, said = rest, directive = ''] = /^(.*?)(?:(?:^| )# *(SKIP|TODO)\b.*)?$/i.exec(rest) ?? [];
    const detail = detailAfter(lines, at + 1, indent);
    const opens = rest.endsWith(' {');
    points.push({
      depth: indent.length,
      isOk: not === undefined,
      name: said
        .replace(/ \{$/, '')
        .replace(/ # time=\S+$/, '')
        .replaceAll('\\#', '#')
        .replaceAll('\\\\', '\\'),
      directive,
      detail,
      opens,
      isParent: opens || /^[ \t]*type: '?suite'?/m.test(detail) || depth > indent.length,
    });
    depth = indent.length;
  }
  return points;
}

/** The YAML block below a test point, or the diagnostics that Perl's and others' producers write as comments. */
function detailAfter(lines: readonly string[], from: number, indent: string): string {
  const [, deeper] = /^([ \t]+)---$/.exec((lines[from] ?? '').trimEnd()) ?? [];
  if (deeper !== undefined && deeper.length > indent.length) {
    const end = lines.findIndex((line, at) => at > from && line.trimEnd() === `${deeper}...`);
    return lines.slice(from + 1, end === -1 ? from + 200 : end).join('\n');
  }
  const end = lines.findIndex((line, at) => at >= from && !/^[ \t]*#(?! Subtest| tests \d)/.test(line));
  return lines
    .slice(from, end === -1 ? undefined : end)
    .slice(0, 50)
    .map((line) => line.replace(/^[ \t]*# {0,3}/, ''))
    .join('\n');
}

function failureAt({ name, detail }: Point): TestFailure {
  const location = /^[ \t]*location: '?(.+?):(\d+):\d+'?$/m.exec(detail);
  const file = /^[ \t]*(?:file|fileName): ['"]?(.+?)['"]?$/m.exec(detail);
  const line = /^[ \t]*(?:line|lineNumber): (\d+)$/m.exec(detail);
  const place = location
    ? { file: location[1], line: Number(location[2]) }
    : file && line
      ? { file: file[1], line: Number(line[1]) }
      : placeIn(detail);
  return failureOf(name, place, messageOf(detail));
}

function messageOf(detail: string): string | undefined {
  const found = /^([ \t]*)(?:error|message):[ \t]*(\S.*)$/m.exec(detail);
  if (!found) {
    const said = detail
      .split('\n')
      .filter((line) => !/^Failed (?:\(TODO\) )?test\b|^at \S+ line \d+/.test(line.trim()));
    return /^[ \t]*\w+:/.test(detail) ? undefined : said.join('\n');
  }
  const [whole, indent = '', value = ''] = found;
  if (!/^[|>][-+]?$/.test(value)) return value.replace(/^(['"])(.*)\1$/s, '$2').replaceAll('\\"', '"');
  const after = detail.slice(found.index + whole.length + 1).split('\n');
  const end = after.findIndex((line) => line.trim() !== '' && !line.startsWith(`${indent} `));
  return after
    .slice(0, end === -1 ? 20 : end)
    .map((line) => line.trim())
    .join('\n');
}
