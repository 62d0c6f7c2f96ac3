import { placeIn } from '../base/place.ts';
import { msOf } from '../base/readDuration.ts';
import { failureOf, summaryOf, type TestSummary } from '../base/testSummary.ts';
import { panicMessage } from './cargoTest.ts';

/** `cargo nextest run`. */
export function parseNextest(text: string): TestSummary | undefined {
  const last = [...text.matchAll(/^[ \t]*Summary \[ *(\S+)\] (?:\d+\/)?\d+ tests? run: (.*)$/gm)].at(-1);
  if (!last) return undefined;
  const [, time, counts = ''] = last;
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(counts)?.[1] ?? 0);
  const blocks = new Map(
    text
      .split(/^[ \t]*-{3,} (?:STDOUT|STDERR|TRY \d+ STDERR): +/m)
      .slice(1)
      .map((block) => [(block.split(/\s*-{3,}/, 1)[0] ?? '').trim().replace(/\s+/g, ' '), block] as const),
  );
  const names = [...text.slice(last.index).matchAll(/^[ \t]*(?:FAIL|TIMEOUT|SIG\w+) \[.*?\] +(?:\(.*?\) +)?(.+)$/gm)];
  const failures = names.map(([, name = '']) => {
    const said = blocks.get(name.trim().replace(/\s+/g, ' ')) ?? '';
    const below = said.slice(said.indexOf('\n') + 1).split(/^(?:─{4,}|[ \t]*Summary \[)/m, 1)[0] ?? '';
    return failureOf(name, placeIn(below), panicMessage(below));
  });
  const failed = count('failed') + count('timed out') + count('exec failed');
  return summaryOf('nextest', { passed: count('passed'), failed, skipped: count('skipped') }, failures, {
    durationMs: msOf(time),
  });
}
