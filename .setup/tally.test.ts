import { expect, test } from 'vitest';
import { closingLine, failedFiles, sumUp, tallyAgain, tallyBrowser, tallyUnits } from './tally.ts';

const file = (status: string, ...tests: readonly string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each, at) => ({ fullName: `test ${at}`, status: each })),
});

test('unit tests are counted by their state', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed', 'todo')] };
  expect(tallyUnits(report, 1)).toEqual({ passed: 2, failed: ['test 1'], skipped: ['test 2', 'test 1'] });
});

test('a file that fails around its tests counts as one failure', () => {
  expect(tallyUnits({ testResults: [file('failed', 'passed'), file('failed')] }, 1)).toEqual({
    passed: 1,
    failed: ['a.test.ts', 'a.test.ts'],
    skipped: [],
  });
});

test('a run that exits with a failure of no test has failed', () => {
  const failed = ['around the tests: the runner ended with exit code 1'];
  expect(tallyUnits({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed, skipped: [] });
  expect(tallyBrowser({ errors: [{}] }, 1)).toEqual({ passed: 0, failed, skipped: [], unsteady: [] });
});

test('browser tests are counted through nested suites, with the reason of a skip', () => {
  const spec = (title: string, status: string, description?: string) => ({
    title,
    tests: [{ status, annotations: description === undefined ? [] : [{ type: 'skip', description }] }],
  });
  const report = {
    suites: [
      { suites: [{ specs: [spec('a', 'expected'), spec('b', 'skipped', 'no bwrap')] }], specs: [spec('c', 'skipped')] },
      { specs: [spec('d', 'unexpected'), spec('e', 'flaky')] },
    ],
  };
  expect(tallyBrowser(report, 1)).toEqual({ passed: 2, failed: ['d'], skipped: ['b: no bwrap', 'c'], unsteady: ['e'] });
});

test('what passes when its file is run again counts, and is named', () => {
  const report = (...files: readonly (readonly [name: string, ...states: string[]])[]) => ({
    testResults: files.map(([name, ...states]) => ({
      ...file(states.includes('failed') ? 'failed' : 'passed', ...states),
      name,
    })),
  });
  const first = report(['a', 'passed', 'failed'], ['b', 'failed'], ['c', 'passed']);
  expect(failedFiles(first)).toEqual(['a', 'b']);
  expect(tallyAgain(first, report(['a', 'passed', 'passed'], ['b', 'failed']), 1)).toEqual({
    passed: 3,
    failed: ['test 0'],
    skipped: [],
    unsteady: ['test 1'],
  });
  expect(tallyAgain(first, report(), 1)).toEqual({
    passed: 2,
    failed: ['test 1', 'test 0'],
    skipped: [],
    unsteady: [],
  });
  const around = { testResults: [{ ...file('failed', 'passed'), name: 'a' }] };
  expect(tallyAgain(around, report(['a', 'passed']), 0)).toMatchObject({ failed: [], unsteady: ['a'] });
});

test('the closing line sums up all stages', () => {
  const stages = [
    { passed: 2, failed: [], skipped: ['a'] },
    { passed: 3, failed: ['d'], skipped: ['b', 'c'] },
  ];
  expect(closingLine(sumUp(stages))).toBe('5 passed, 1 failed, 3 skipped');
});
