import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** A runner that patterns can read: its counts stand in lines of their own, its failures in blocks. */
interface Runner {
  readonly format: string;
  /** Commands that certainly run it. */
  readonly command: RegExp;
  /** Lines that count; without one the text is another's, unless `none` is in it. */
  readonly lines: RegExp;
  /** What it says when there were no tests. */
  readonly none?: RegExp;
  /** Each with the number before or after its words; several are added. `all`: the rest of it has passed. */
  readonly all?: RegExp;
  readonly passed?: RegExp;
  readonly failed: RegExp;
  readonly skipped: RegExp;
  /** What failed beside the tests. */
  readonly outside?: RegExp;
  readonly time?: RegExp;
  readonly failures: readonly Blocks[];
}

/** How failures stand in a text: the name in the first line, then places and words. */
interface Blocks {
  /** Where a list of them begins and ends; the whole text otherwise. */
  readonly list?: RegExp;
  readonly end?: RegExp;
  /** What stands before each. */
  readonly start: RegExp;
  /** What of the first line is not its name. */
  readonly notName?: RegExp;
  /** Lines with places. */
  readonly place: RegExp;
  /** Lines that are no words of it, beside places and blank ones. */
  readonly notWords?: RegExp;
  /** The name is a file, which stands for a place that is not told. */
  readonly isFile?: boolean;
  readonly maxWords?: number;
}

const runners: readonly Runner[] = [
  {
    format: 'ava',
    command: /(?:^|\s)ava\b/,
    lines:
      /^ {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|hooks? failed|uncaught exceptions?|unhandled rejections?|known failures?)$/gm,
    none: /^ *✖ (?:Couldn.t find any (?:files|matching tests)|No tests found in )/m,
    passed: /(\d+) tests? passed/g,
    failed: /(\d+) (?:tests? failed|hooks? failed|uncaught exceptions?|unhandled rejections?)/g,
    skipped: /(\d+) (?:tests? skipped|tests? todo|known failures?)/g,
    failures: [
      {
        list: /^ {2}─+$/m,
        start: /^(?= {2}\S.*\n\n {2}(?:file:\/\/)?\S+:\d+$)/m,
        place: /^ {2}(?:file:\/\/)?\S+:\d+$/,
        notWords: /^\s+\d+:|^ {2}[›─]/,
      },
    ],
  },
  {
    format: 'rspec',
    command: /\brspec\b/,
    lines: /^\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?$/gm,
    all: /(\d+) examples?,/g,
    failed: /(\d+) failures?/g,
    skipped: /(\d+) pending/g,
    outside: /(\d+) errors? occurred outside/g,
    time: /^Finished in (.+?)(?: \(files took|$)/gm,
    failures: [
      {
        list: /^Failures:$/m,
        end: /^Finished in /m,
        start: /^ {2}\d+\) /m,
        notName: / \(FAILED - \d+\)$/,
        place: /^ +# /,
      },
      {
        start: /^An error occurred while loading /m,
        notName: /\.?(?:\s.*)?$/,
        place: /^# /,
        isFile: true,
        maxWords: 3,
      },
    ],
  },
  {
    format: 'phpunit',
    command: /\bphpunit\b/,
    lines: /^(?:OK \(\d+ tests?, \d+ assertions?\)|Tests: \d+, Assertions: \d+.*\.)$/gm,
    none: /^No tests executed!$/m,
    all: /(?:^OK \(|^Tests: )(\d+)/gm,
    failed: /, (?:Failures|Errors): (\d+)/g,
    skipped: /, (?:Skipped|Incomplete): (\d+)/g,
    time: /^Time: ([\d:.]+(?: \w+)?)/gm,
    failures: [
      {
        // Risky and skipped tests are listed alike.
        list: /^There (?:was|were) \d+ (?:failure|error)s?:/m,
        end: /^(?:--|FAILURES!|ERRORS!|There (?:was|were) \d+ .*)$/m,
        start: /^\d+\) /m,
        place: /^\S+\.\w+:\d+$/,
      },
    ],
  },
  {
    // Laravel's `artisan test` is one too.
    format: 'pest',
    command: /\bpest\b|\bartisan test\b/,
    lines: /^ *Tests: +(?:\d+ [a-z]+(?:, )?)+ \(\d+ assertions?\)$/gm,
    passed: /(\d+) (?:passed|risky|deprecated|warnings?)\b/g,
    failed: /(\d+) failed\b/g,
    skipped: /(\d+) (?:skipped|incomplete|todos?)\b/g,
    time: /^ *Duration: +([\d.]+m?s)/gm,
    failures: [
      {
        start: /^ *FAILED {2,}/m,
        notName: / {2,}\S.*$/,
        place: /^ *at \S+:\d+/,
        maxWords: 1,
      },
    ],
  },
];

function parseWith(runner: Runner, text: string): TestSummary | undefined {
  const lines = [...text.matchAll(runner.lines)].map(([line]) => line);
  if (lines.length === 0 && runner.none?.test(text) !== true) return undefined;
  const sum = (pattern: RegExp | undefined): number => (pattern ? sumOf(lines.join('\n'), pattern) : 0);
  const [failed, skipped] = [sum(runner.failed), sum(runner.skipped)];
  const passed = runner.all ? Math.max(0, sum(runner.all) - failed - skipped) : sum(runner.passed);
  const counts = { passed, failed: failed + sum(runner.outside), skipped };
  const failures = runner.failures.flatMap((blocks) => failuresIn(text, blocks));
  return summaryOf(runner.format, counts, failures, { durationMs: runner.time && sumOfTimes(text, runner.time) });
}

function failuresIn(text: string, { list, end, start, ...form }: Blocks): readonly TestFailure[] {
  const lists = list ? text.split(list).slice(1) : [text];
  return lists
    .map((one) => (end ? (one.split(end, 1)[0] ?? '') : one))
    .flatMap((one) => one.split(start).slice(1))
    .map((block) => failureIn(block.split('\n'), form));
}

function failureIn(
  [title = '', ...rest]: readonly string[],
  { notName, place, notWords, isFile = false, maxWords }: Omit<Blocks, 'list' | 'end' | 'start'>,
): TestFailure {
  const name = notName ? title.replace(notName, '') : title;
  const places = rest.filter((line) => place.test(line));
  const words = rest
    .filter((line) => line.trim() !== '' && !place.test(line) && notWords?.test(line) !== true)
    .map((line) => line.trim());
  const file = isFile ? { file: name } : undefined;
  return failureOf(name, placeIn(places.join('\n')) ?? file, words.slice(0, maxWords).join('\n'));
}

export const patternRunners = runners.map((runner) => ({
  command: runner.command,
  parse: (text: string): TestSummary | undefined => parseWith(runner, text),
}));
