import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { countBefore, failureOf, summaryOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

const lastLine =
  /^(\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ (?:skips|pendings)(?:, \d+ omissions.*)?)$/gm;

/** Minitest (also by Rails) and test-unit. */
export function parseMinitest(text: string): TestSummary | undefined {
  const lines = [...text.matchAll(lastLine)].map(([, line = '']) => line);
  if (lines.length === 0) return undefined;
  const sum = (...words: readonly string[]) =>
    lines.reduce((total, line) => total + words.reduce((all, word) => all + countBefore(line, word), 0), 0);
  const failed = sum('failures', 'errors');
  const skipped = sum('skips', 'pendings', 'omissions');
  const counts = { passed: Math.max(0, sum('runs', 'tests') - failed - skipped), failed, skipped };
  return summaryOf('minitest', counts, [...numbered(text), ...testUnit(text)], {
    durationMs: sumOfTimes(text, /^Finished (?:tests )?in ([\d.]+ ?s(?:econds)?)/gm),
  });
}

/** `  1) Failure:`, then `TestA#test_two [test/a_test.rb:8]:` and the message. Rails leaves the number out. */
function numbered(text: string): readonly TestFailure[] {
  return text
    .split(/^(?: *\d+\) )?(?=(?:Failure|Error|Skipped):\n)/m)
    .slice(1)
    .filter((block) => !block.startsWith('Skipped'))
    .map((block) => {
      const [, title = '', ...rest] = block.split('\n');
      const [, name = title, at = ''] = /^(.+?)(?: \[(.+)\])?:$/.exec(title) ?? [];
      const end = rest.findIndex((line) => line.trim() === '');
      const said = rest.slice(0, end === -1 ? undefined : end);
      const message = said.filter((line) => !/^\s+\S+:\d+:in /.test(line));
      return failureOf(name, placeIn(at) ?? placeIn(said.join('\n')), message.join('\n'));
    });
}

/** `Failure: test_two(TestA): message`, then the place or the code. */
function testUnit(text: string): readonly TestFailure[] {
  return text
    .split(/^={20,}$/m)
    .filter((block) => /^\s*(?:Failure|Error): \S/.test(block))
    .map((block) => {
      const [, name = '', message = ''] = /(?:Failure|Error): (.+?\(.+?\))(?:: ?(.*))?/.exec(block) ?? [];
      return failureOf(name, placeIn(block), message);
    });
}
