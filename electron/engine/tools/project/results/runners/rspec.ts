import { msOf } from '../base/duration.ts';
import { placeIn } from '../base/place.ts';
import { countBefore, failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/summary.ts';

const lastLine = /^(\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?)$/gm;

/** RSpec's progress and documentation formatters. */
export function parseRspec(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(lastLine)].map(([, line = '']) => line);
  if (lines.length === 0) return undefined;
  const sum = (word: string) => lines.reduce((total, line) => total + countBefore(line, word), 0);
  const outside = sum('errors? occurred outside of examples');
  const failed = sum('failures?');
  const skipped = sum('pending');
  const counts = { passed: Math.max(0, sum('examples?') - failed - skipped), failed: failed + outside, skipped };
  const seconds = [...text.matchAll(/^Finished in (.+?)(?: \(files took|$)/gm)].map(([, time]) => msOf(time) ?? 0);
  return summaryOf('rspec', counts, [...failuresIn(text), ...unloadedIn(text)], {
    durationMs: seconds.length === 0 ? undefined : seconds.reduce((sumMs, ms) => sumMs + ms, 0),
  });
}

/** `  1) Sum adds`, the message, and `     # ./spec/sum_spec.rb:5`. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^Failures:$/m)
    .slice(1)
    .flatMap((section) => (section.split(/^Finished in /m, 1)[0] ?? '').split(/^ {2}\d+\) /m).slice(1))
    .map((block) => {
      const [name = '', ...rest] = block.split('\n');
      const frames = rest.filter((line) => /^ +# /.test(line)).join('\n');
      const said = rest.filter((line) => line.trim() !== '' && !/^ +# /.test(line)).map((line) => line.trim());
      return failureOf(name.replace(/ \(FAILED - \d+\)$/, ''), placeIn(frames), said.join('\n'));
    });
}

function unloadedIn(text: string): readonly TestFailure[] {
  return text
    .split(/^An error occurred while loading /m)
    .slice(1)
    .map((block) => {
      const file = block.split(/[\s]/, 1)[0]?.replace(/\.$/, '') ?? '';
      const said = block.split('\n').slice(1);
      const frames = said.filter((line) => line.startsWith('# ')).join('\n');
      const message = said.filter((line) => line.trim() !== '' && !line.startsWith('# ')).slice(0, 3);
      return failureOf(file, placeIn(frames) ?? { file }, message.join('\n'));
    });
}
