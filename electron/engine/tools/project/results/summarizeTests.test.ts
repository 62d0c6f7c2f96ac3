import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../../workspace/testing/testFolder.ts';
import { summarizeIssues } from './summarizeIssues.ts';
import { summarizeTests } from './summarizeTests.ts';

const summarize = (text: string) => summarizeTests(text, '');

describe('the reporters of node:test, as they really print', () => {
  const source = `import { describe, test } from 'node:test';
import assert from 'node:assert';
describe('sums', () => {
  test('adds', () => assert.equal(1 + 1, 2));
  test('fails', () => assert.equal(1, 2));
});
test('later', { skip: true }, () => {});
`;
  const run = (reporter: string) => {
    const folder = testFolder({ 'a.test.mjs': source });
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined };
    const args = ['--test', `--test-reporter=${reporter}`, 'a.test.mjs'];
    return { folder, text: spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' }).stdout };
  };

  test.each(['tap', 'spec', 'junit'])('%s', (reporter) => {
    const { folder, text } = run(reporter);
    const summary = summarize(text);
    expect(summary).toMatchObject({ total: 3, passed: 1, failed: 1, skipped: 1, failures: [{ line: 5 }] });
    const [failure] = summary?.failures ?? [];
    expect(failure?.name).toContain('fails');
    expect(join(folder, failure?.file ?? '')).toContain('a.test.mjs');
  });
});

test('TAP with a block of detail, a todo and a skip', () => {
  const text = `TAP version 13
1..4
ok 1 - one
not ok 2 - two
  ---
  message: 'expected 1'
  at: 'lib/two.js:7:3'
  ...
ok 3 - three # SKIP no database
not ok 4 - four # TODO later
`;
  expect(summarize(text)).toEqual({
    format: 'tap',
    total: 4,
    passed: 1,
    failed: 1,
    skipped: 2,
    failures: [{ name: 'two', file: 'lib/two.js', line: 7, message: 'expected 1' }],
  });
});

test('JUnit XML with nested suites, entities and CDATA', () => {
  const text = `<?xml version="1.0"?><testsuites><testsuite name="s"><testsuite>
<testcase classname="A" name="passes"/>
<testcase classname="A" name="a &lt; b" file="src/a.py" line="3"><failure message="1 &amp; 2"><![CDATA[trace]]></failure></testcase>
<testcase name="broken"><error><![CDATA[at lib/b.rb:9]]></error></testcase>
<testcase name="later"><skipped/></testcase></testsuite></testsuite></testsuites>`;
  expect(summarize(text)).toEqual({
    format: 'junit',
    total: 4,
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      { name: 'A a < b', file: 'src/a.py', line: 3, message: '1 & 2' },
      { name: 'broken', file: 'lib/b.rb', line: 9, message: 'at lib/b.rb:9' },
    ],
  });
});

test('the JSON of jest and vitest, behind the lines of npm', () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 1,
    testResults: [
      {
        name: '/p/a.test.ts',
        assertionResults: [
          { fullName: 'adds', status: 'passed' },
          { fullName: 'sums fail', status: 'failed', failureMessages: ['Error: no\n    at /p/a.test.ts:12:5'] },
          { fullName: 'later', status: 'pending' },
        ],
      },
    ],
  };
  expect(summarize(`> x@1.0.0 test\n> vitest\n\n${JSON.stringify(report)}\n`)).toEqual({
    format: 'jest',
    total: 3,
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: [{ name: 'sums fail', file: '/p/a.test.ts', line: 12, message: 'Error: no\n    at /p/a.test.ts:12:5' }],
  });
});

test('vitest as text', () => {
  const text = ` ❯ src/a.test.ts (2 tests | 1 failed) 5ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/a.test.ts > sums > fails
AssertionError: expected 1 to be 2
 ❯ src/a.test.ts:5:31
    3|
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
      Tests  1 failed | 3 passed | 1 skipped (5)
`;
  expect(summarize(text)).toEqual({
    format: 'vitest',
    total: 5,
    passed: 3,
    failed: 1,
    skipped: 1,
    failures: [
      {
        name: 'src/a.test.ts > sums > fails',
        file: 'src/a.test.ts',
        line: 5,
        message: 'AssertionError: expected 1 to be 2',
      },
    ],
  });
});

test('jest as text, on the error stream', () => {
  const text = `FAIL ./a.test.js
  ● sums › fails

    expect(received).toBe(expected)

      at Object.toBe (node_modules/x/index.js:1:1)
      at Object.<anonymous> (src/a.test.js:4:13)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 2 passed, 3 total
`;
  expect(summarizeTests('', text)).toMatchObject({
    format: 'jest',
    passed: 2,
    failed: 1,
    failures: [{ name: 'sums › fails', file: 'src/a.test.js', line: 4 }],
  });
});

test('pytest', () => {
  const text = `=================================== FAILURES ===================================
___________________________________ test_two ___________________________________
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:8: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_two - assert 1 == 2
============== 1 failed, 3 passed, 1 skipped, 2 xfailed in 0.12s ===============
`;
  expect(summarize(text)).toEqual({
    format: 'pytest',
    total: 7,
    passed: 3,
    failed: 1,
    skipped: 3,
    failures: [{ name: 'tests/test_a.py::test_two', file: 'tests/test_a.py', line: 8, message: 'assert 1 == 2' }],
    durationMs: 120,
  });
});

test('cargo test, several programs together', () => {
  const text = `running 2 tests
test tests::works ... ok
test tests::fails ... FAILED

failures:

---- tests::fails stdout ----
thread 'tests::fails' panicked at src/lib.rs:17:9:
assertion failed

failures:
    tests::fails

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;
  expect(summarize(text)).toMatchObject({
    format: 'cargo',
    total: 7,
    passed: 4,
    failed: 1,
    skipped: 2,
    failures: [{ name: 'tests::fails', file: 'src/lib.rs', line: 17 }],
  });
});

test('go test -json and as text', () => {
  const events = [
    { Action: 'run', Package: 'x/y', Test: 'TestA' },
    { Action: 'output', Package: 'x/y', Test: 'TestA', Output: '    a_test.go:6: wrong\n' },
    { Action: 'fail', Package: 'x/y', Test: 'TestA' },
    { Action: 'pass', Package: 'x/y', Test: 'TestB' },
    { Action: 'skip', Package: 'x/y', Test: 'TestC' },
    { Action: 'fail', Package: 'x/y' },
    { Action: 'fail', Package: 'x/broken' },
  ];
  expect(summarize(events.map((event) => JSON.stringify(event)).join('\n'))).toMatchObject({
    format: 'go',
    total: 4,
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [{ name: 'x/y TestA', file: 'a_test.go', line: 6 }, { name: 'x/broken' }],
  });
  const text =
    '=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:6: wrong\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nFAIL\nFAIL\tx/y\t0.002s\n';
  expect(summarize(text)).toMatchObject({
    total: 2,
    passed: 1,
    failed: 1,
    failures: [{ name: 'TestA', file: 'a_test.go', line: 6 }],
  });
});

test('what the command names is looked for before what its tests print', () => {
  const text = '1..1\nok 1 - printed by a test\n1 failed, 2 passed in 0.02s\n';
  expect(summarize(text)).toMatchObject({ format: 'tap', total: 1 });
  expect(summarizeTests(text, '', 'python -m pytest -q -s')).toMatchObject({ format: 'pytest', passed: 2, failed: 1 });
});

test('of a text beyond the limit the end is read', () => {
  const text = `${'a line of noise\n'.repeat(200_000)}1 failed, 2 passed in 0.02s\n`;
  expect(summarize(text)).toMatchObject({ format: 'pytest', passed: 2, failed: 1 });
});

test('what is no known format has no summary', () => {
  for (const text of ['', 'all good', '{"numPassedTests": 1', '<testsuite>', 'Tests are fun (3)'])
    expect(summarize(text)).toBeUndefined();
});

test.each([
  ['/p/a.js\n  1:1  error  no\n\n✖ 3 problems (2 errors, 1 warning)', 3],
  ['Found 0 warnings and 2 errors.', 2],
  ['a.py:1:1: F401 unused\nFound 1 error.', 1],
  ['src/a.go:3:2: unused variable\nsrc/b.go:4: other', 2],
  ['warning: unused\n  --> src/a.rs:1:1\nerror[E1]: no\n  --> src/b.rs:1:1\n', 2],
  ['12 files inspected, 4 offenses detected', 4],
  ['All checks passed!', 0],
  ['something else', undefined],
])('%j counts %s issues', (text, count) => expect(summarizeIssues(text, '')?.total).toBe(count));

test.each([
  ['blank lines', '\n'.repeat(400_000)],
  ['blanks', ' '.repeat(400_000)],
  ['numbers and words without commas', `${'1 a11 '.repeat(1_000)}${'1 a11'.repeat(1_000)}`],
  ['one long path', `TAP version 13\nnot ok 1 - x\n  ---\n${'a.b/'.repeat(90_000)}\n  ...\n`],
  ['open cases of XML', `<testsuite>${'<testcase name="'.repeat(20_000)}`],
])('J5: %s cannot stall it', (_, text) => {
  expect(summarizeTests(text, text)?.passed ?? 0).toBe(0);
  expect(summarizeIssues(text, text)).toBeUndefined();
});
