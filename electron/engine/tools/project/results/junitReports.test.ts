import { mkdirSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLook } from '../../../workspace/look.ts';
import { createSandbox } from '../../../workspace/sandbox.ts';
import { testFolder, writeFiles } from '../../../workspace/testing/testFolder.ts';
import { runnerTrial } from '../../testing/runnerTrial.ts';
import { readJunitReports } from './junitReports.ts';

/** As Surefire 3 writes it: the stack begins in the framework. */
const failing = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="org.example.AppTest" tests="3" failures="1" errors="1">
  <testcase name="adds" classname="org.example.AppTest" time="0.01"/>
  <testcase name="subtracts" classname="org.example.AppTest" time="0.02">
    <failure message="expected: &lt;1> but was: &lt;2>" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
	at org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)
	at org.example.AppTest.subtracts(AppTest.java:17)
	at java.base/java.lang.reflect.Method.invoke(Method.java:568)
]]></failure>
  </testcase>
  <testcase name="later" classname="org.example.AppTest"><skipped/></testcase>
</testsuite>`;
const passing = `<testsuite><testcase name="a > b" classname="org.example.OtherTest"/></testsuite>`;

async function read(root: string, startedMs = 0) {
  const sandbox = await createSandbox({ roots: [root] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  return readJunitReports(createLook(sandbox.value), '.', startedMs, new AbortController().signal);
}

describe('reports that a run has left', () => {
  test('of Maven and Gradle, of all modules, together; failures with their file and line', async () => {
    const root = testFolder({
      'core/target/surefire-reports/TEST-org.example.AppTest.xml': failing,
      'core/src/test/java/org/example/AppTest.java': 'class AppTest {}',
      'target/failsafe-reports/TEST-it.xml': passing,
      'app/web/build/test-results/test/TEST-other.xml': passing,
      'app/web/build/test-results/integrationTest/TEST-other.xml': passing,
      'core/target/surefire-reports/org.example.AppTest.txt': 'no XML',
    });
    expect(await read(root)).toEqual({
      format: 'junit',
      total: 6,
      passed: 4,
      failed: 1,
      skipped: 1,
      failures: [
        {
          name: 'org.example.AppTest subtracts',
          file: 'core/src/test/java/org/example/AppTest.java',
          line: 17,
          message: 'expected: <1> but was: <2>',
        },
      ],
    });
  });

  test('of another run are not taken for this one', async () => {
    const root = testFolder({ 'target/surefire-reports/old.xml': failing, 'junit.xml': passing });
    const startedMs = Date.now();
    const before = startedMs / 1000 - 60;
    utimesSync(join(root, 'target/surefire-reports/old.xml'), before, before);
    const after = startedMs / 1000 + 1;
    utimesSync(join(root, 'junit.xml'), after, after);
    expect(await read(root, startedMs)).toMatchObject({ total: 1, passed: 1 });
  });

  test('P1 behind a link that leaves the project are not read', async () => {
    const away = testFolder({ 'x.xml': passing });
    const root = testFolder({ 'target/a': '' });
    symlinkSync(away, join(root, 'target/surefire-reports'));
    mkdirSync(join(root, 'test-results'));
    symlinkSync(join(away, 'x.xml'), join(root, 'test-results/x.xml'));
    symlinkSync(join(away, 'x.xml'), join(root, 'junit.xml'));
    expect(await read(root)).toBeUndefined();
  });

  test('J5: a report over the limit is passed over, and what is no report counts nothing', async () => {
    const root = testFolder({ 'reports/big.xml': failing, 'reports/page.xml': '<html/>', 'reports/fine.xml': passing });
    truncateSync(join(root, 'reports/big.xml'), 3 * 1024 * 1024);
    expect(await read(root)).toMatchObject({ total: 1, failed: 0 });
  });
});

test('run_tests tells what the reports say, where nothing is printed', async () => {
  const files = { 'pom.xml': '<project/>', 'kept/report.txt': failing };
  const { call, bench } = await runnerTrial(files);
  writeFiles(bench.workspace, { 'target/surefire-reports/old.xml': failing });
  utimesSync(join(bench.workspace, 'target/surefire-reports/old.xml'), 1, 1);
  const command = 'cp kept/report.txt target/surefire-reports/TEST-new.xml; exit 1';
  expect(await call('run_tests', { command })).toMatchObject({
    success: true,
    data: { passed: false, exitCode: 1, summary: { format: 'junit', total: 3, failed: 1, failures: [{ line: 17 }] } },
  });
});
