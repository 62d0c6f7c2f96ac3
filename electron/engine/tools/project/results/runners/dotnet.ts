import { placeIn } from '../base/place.ts';
import { sumOfTimes } from '../base/readDuration.ts';
import { failureOf, summaryOf, sumOf, type TestFailure, type TestSummary } from '../base/testSummary.ts';

/** `dotnet test`: a line a project, the older block of totals, or the summary of the terminal logger. */
export function parseDotnet(text: string): TestSummary | undefined {
  const counts = terminalLogger(text) ?? linePerProject(text) ?? totals(text);
  const none = /^No test is available in |^No test matches the given testcase filter/m.test(text);
  if (!counts && !none) return undefined;
  const zero = { passed: 0, failed: 0, skipped: 0 };
  return summaryOf('dotnet', counts ?? zero, [...classic(text), ...fromLogger(text)], {
    durationMs: sumOfTimes(
      text,
      /(?:, Duration: |^ *Total time: |^Test summary:.*duration: )(< 1 ms|[\d.,]+ ?(?:ms|s|m|h|Seconds|Minutes))/gim,
    ),
  });
}

function terminalLogger(text: string) {
  const pattern = (word: string) => new RegExp(`^ *Test summary:.*\\b${word}: (\\d+)`, 'gm');
  if (!pattern('total').test(text)) return undefined;
  return {
    passed: sumOf(text, pattern('succeeded')),
    failed: sumOf(text, pattern('failed')),
    skipped: sumOf(text, pattern('skipped')),
  };
}

function linePerProject(text: string) {
  const pattern = (word: string) => new RegExp(`^ *\\w+! +- Failed:.*\\b${word}: +(\\d+)`, 'gm');
  const failed = /^ *\w+! +- Failed: +(\d+), Passed:/gm;
  if (!failed.test(text)) return undefined;
  return {
    passed: sumOf(text, pattern('Passed')),
    failed: sumOf(text, /^ *\w+! +- Failed: +(\d+), Passed:/gm),
    skipped: sumOf(text, pattern('Skipped')),
  };
}

function totals(text: string) {
  if (!/^Total tests: (?:\d+|Unknown)/m.test(text)) return undefined;
  const count = (word: string) => sumOf(text, new RegExp(`(?:^ +|\\. )${word}: (\\d+)`, 'gm'));
  return { passed: count('Passed'), failed: count('Failed'), skipped: count('Skipped') };
}

/** `  Failed Tests.Sum.Two [5 ms]`, then the message and the stack. */
function classic(text: string): readonly TestFailure[] {
  return text
    .split(/^ {0,2}(?=(?:Failed|Passed|Skipped) \S.* \[.*\]$)/m)
    .filter((block) => block.startsWith('Failed '))
    .map((block) => {
      const name = /^Failed (.+) \[.*\]$/m.exec(block)?.[1] ?? '';
      const [, message = ''] =
        /Error Message:\n([\s\S]*?)(?=^ *Stack Trace:|^ *Standard Output|\n\n|(?![\s\S]))/m.exec(block) ?? [];
      const [, stack = ''] = /Stack Trace:\n([\s\S]*?)(?=^ *Standard Output|\n\n|(?![\s\S]))/m.exec(block) ?? [];
      return failureOf(name, placeIn(stack), message);
    });
}

/** `    /p/Sum.cs(12): error TESTERROR:`, then name and message. */
function fromLogger(text: string): readonly TestFailure[] {
  return text
    .split(/^(?= *\S.*: error TESTERROR: *$)/m)
    .slice(1)
    .map((block) => {
      const [place = '', title = '', ...rest] = block.split('\n');
      const [, name = title, message = ''] = /^ *(.+?) \([\d.]+ ?m?s\): (?:Error Message: )?(.*)$/.exec(title) ?? [];
      const more = rest.slice(
        0,
        Math.max(
          0,
          rest.findIndex((line) => /^ *Stack Trace:|^ *$/.test(line)),
        ),
      );
      return failureOf(name, placeIn(place), [message, ...more].join('\n'));
    });
}
