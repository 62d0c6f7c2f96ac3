import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

const total = /^(?:\[\w+\] +)?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+(?:, Flakes: \d+)?$/gm;
const perClass = /^(?:\[\w+\] +)?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+, Time elapsed: .*$/gm;

/** What Maven's Surefire and Failsafe print: a line a class, and one a module. */
export function parseSurefire(text: string): TestSummary | undefined {
  const none = /^\[INFO\] No tests to run\.$/m.test(text);
  const totals = [...text.matchAll(total)].map(([line]) => line);
  const classes = [...text.matchAll(perClass)].map(([line]) => line);
  const lines = totals.length > 0 ? totals : classes;
  if (lines.length === 0 && !none) return undefined;
  const sum = (word: string) => sumOf(lines.join('\n'), new RegExp(`${word}: (\\d+)`, 'g'));
  const failed = sum('Failures') + sum('Errors');
  const skipped = sum('Skipped');
  return summaryOf(
    'surefire',
    { passed: Math.max(0, sum('Tests run') - failed - skipped), failed, skipped },
    failuresIn(text),
    {
      durationMs: sumOfTimes(text, /^(?:\[\w+\] +)?Tests run: .*, Time elapsed: ([\d.,]+ s)/gm),
      incomplete: totals.length === 0 && classes.length > 0,
    },
  );
}

/** `[ERROR] org.example.AppTest.subtracts -- Time elapsed: 0.01 s <<< FAILURE!` (or `subtracts(org.example.AppTest)`), then a stack. */
function failuresIn(text: string): readonly TestFailure[] {
  return text
    .split(/^(?=.*<<< (?:FAILURE|ERROR)!)/m)
    .slice(1)
    .flatMap((block) => {
      const [title = '', ...rest] = block.split('\n');
      if (/Tests run: \d+/.test(title)) return [];
      const [, whole = ''] = /^(?:\[\w+\] +)?(.+?) +(?:-- +)?Time elapsed:/.exec(title) ?? [];
      const [, method, older] = /^(.+?)\(([\w.$]+)\)$/.exec(whole) ?? [];
      const dot = whole.lastIndexOf('.');
      const classname = older ?? whole.slice(0, dot);
      const end = rest.findIndex((line) => line.trim() === '' || /^\[\w+\]/.test(line));
      const stack = rest.slice(0, end === -1 ? undefined : end);
      const own = stack.find((line) => line.includes(`at ${classname}.`) || line.includes(`at ${classname}$`));
      const said = stack.filter((line) => !/^\s+(?:at |\.\.\. )/.test(line)).join('\n');
      const message = said.replace(/^[\w.$]+(?:Error|Exception|Failure): /, '');
      return failureOf(`${classname} ${method ?? whole.slice(dot + 1)}`, placeIn(own ?? stack.join('\n')), message);
    });
}
