import { placeIn } from '../base/place.ts';
import {
  failureOf,
  firstLine,
  joinSummaries,
  summaryOf,
  sumOf,
  type TestFailure,
  type TestSummary,
} from '../base/testSummary.ts';

/** The `spec` reporter of node:test, and `dot`, which tells no counts: its dots are counted. */
export function parseNodeTest(text: string): TestSummary | undefined {
  if (!/^ℹ tests \d+$/m.test(text)) return parseDots(text);
  const counted = (word: string) => sumOf(text, new RegExp(`^ℹ ${word} (\\d+)$`, 'gm'));
  const counts = {
    passed: counted('pass'),
    failed: counted('fail') + counted('cancelled'),
    skipped: counted('skipped') + counted('todo'),
  };
  const durationMs = sumOf(text, /^ℹ duration_ms (\d+(?:\.\d+)?)$/gm);
  return summaryOf(
    'node:test',
    counts,
    [...text.matchAll(/^✖ failing tests:$/gm)].flatMap(({ index }) => failuresIn(text.slice(index))),
    {
      durationMs,
    },
  );
}

function failuresIn(section: string): readonly TestFailure[] {
  return section
    .split(/^ℹ tests \d+$|^TAP version /m, 1)
    .join('')
    .split(/^(?:test|suite|hook)? ?at (?=\S.*:\d+:\d+$)/m)
    .slice(1)
    .map((block) => {
      const [, file, line] = /^(.+?):(\d+):\d+/.exec(block) ?? [];
      const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/m.exec(block)?.[1] ?? '';
      const said = block.split('\n').slice(2);
      return failureOf(name, { file, line: line === undefined ? undefined : Number(line) }, firstLine(said.join('\n')));
    });
}

/** A suite has a dot as a test has, and one that failed only by its tests says so. */
function parseDots(text: string): TestSummary | undefined {
  const rows = [...text.matchAll(/^([.X]+(?:\n[.X]+)*)\n\n(Failed tests:\n\n)?/gm)];
  // Of dots alone nobody can tell whose they are.
  if (!rows.some(([, , failed]) => failed !== undefined)) return undefined;
  const [first, ...rest] = rows.map(({ 0: whole, 1: dots = '', 2: heading, index }, at) => {
    const below = heading === undefined ? '' : text.slice(index + whole.length, rows[at + 1]?.index);
    const blocks = below.split(/^✖ /m).slice(1);
    const own = blocks.filter((block) => !/^ {2}'\d+ subtests? failed'$/m.test(block));
    const failures = own.map((block) => {
      const [name = '', ...said] = block.split('\n');
      return failureOf(name.replace(/ \([\d.]+ms\)$/, ''), placeIn(said.join('\n')), firstLine(said.join('\n')));
    });
    const failed = dots.split('X').length - 1 - (blocks.length - own.length);
    return summaryOf('node:test', { passed: dots.split('.').length - 1, failed, skipped: 0 }, failures);
  });
  return first && joinSummaries([first, ...rest]);
}
