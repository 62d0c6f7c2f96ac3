import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toolResult } from '../../../../shared/result.ts';
import { testExecutor, until } from '../../exec/testing/testExecutor.ts';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { writeFiles } from '../../workspace/testing/testFolder.ts';
import type { Hands } from '../frame/tool.ts';
import { runnerTrial } from '../testing/runnerTrial.ts';
import { createCheckPermission } from './checkPermission.ts';

const nodeTest = `import test from 'node:test';
import assert from 'node:assert';
test('holds', () => {});
test('fails', () => assert.equal(1, 2));
`;

describe('run_tests', () => {
  test('runs the project’s own command and names the failures', async () => {
    const scripts = { test: 'node --test --test-reporter=tap a.test.mjs' };
    const environment = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const files = { 'package.json': JSON.stringify({ scripts }), 'a.test.mjs': nodeTest };
    const { call, bench, text } = await runnerTrial(files, { environment });
    const result = await call('run_tests');
    expect(result).toMatchObject({
      success: true,
      data: {
        passed: false,
        errorOutput: expect.any(String),
        exitCode: 1,
        duration: expect.any(Number),
        projectType: 'node',
        command: 'npm test',
        truncated: false,
        summary: { format: 'tap', total: 2, passed: 1, failed: 1, failures: [{ name: 'fails', line: 4 }] },
      },
    });
    expect(JSON.stringify(result)).toContain(join(bench.workspace, 'a.test.mjs'));
    expect(text('run_tests', result)).toMatch(
      /^\[exit 1\]\n\[npm test\]\n\[1 of 2 passed, 1 failed, 0 skipped\]\n\[failed: fails \(.*a\.test\.mjs:4\)(?:: .+)?\]\n[\s\S]*^TAP version 13$/m,
    );
  });

  test('a given command wins, in the folder of the project', async () => {
    const { call, bench } = await runnerTrial({ 'sub/x': '' });
    expect(await call('run_tests', { command: 'touch here && pwd', projectPath: 'sub' })).toMatchObject({
      success: true,
      data: { passed: true, exitCode: 0, output: `${join(bench.workspace, 'sub')}\n`, projectType: 'unknown' },
    });
    expect(existsSync(join(bench.workspace, 'sub/here'))).toBe(true);
  });

  test('one that takes too long is ended: TIMEOUT, with what it has written', async () => {
    const { call } = await runnerTrial({});
    expect(await call('run_tests', { command: 'echo begun; sleep 300 # at most 5000 ms' })).toMatchObject({
      success: false,
      error: { code: 'TIMEOUT', details: { output: 'begun\n', passed: false } },
    });
  });

  test('one that goes on in the background has an id and has not passed yet', async () => {
    const { call, bench } = await runnerTrial({}, { shell: { autoBackgroundThresholdSeconds: 0.2 } }, 100);
    const result = (await call('run_tests', { command: 'read -r x < fifo-that-waits || sleep 300' })) as {
      data: { backgroundTaskId: string };
    };
    expect(result).toMatchObject({ success: true, data: { passed: null, exitCode: null, status: 'running' } });
    expect(await bench.executor.cancel(result.data.backgroundTaskId)).toMatchObject({ ok: true });
  });

  test('one that is only thought to take long is waited for, and stopped with the call', async () => {
    const slowCommands = { 'sleep 300': 1_000, echo: 1_000 };
    const { call, stop, bench } = await runnerTrial(
      {},
      { shell: { autoBackgroundThresholdSeconds: 10, slowCommands } },
    );
    expect(await call('run_tests', { command: 'echo done; echo aside >&2' })).toMatchObject({
      success: true,
      data: { passed: true, output: 'done\n', errorOutput: 'aside\n', exitCode: 0 },
    });
    expect(bench.events.some(({ type }) => type === 'backgrounded')).toBe(true);
    const running = call('run_tests', { command: 'sleep 300' });
    await until(() => bench.events.filter(({ type }) => type === 'started').length === 2);
    stop.abort();
    expect(await running).toMatchObject({ success: false, error: { code: 'CANCELLED' } });
  });

  test('stopping the call stops the command', async () => {
    const { call, stop } = await runnerTrial({});
    const running = call('run_tests', { command: 'sleep 300' });
    stop.abort();
    expect(await running).toMatchObject({ success: false, error: { code: 'CANCELLED' } });
  });
});

test.each([
  ['run_tests', 'NO_TEST_COMMAND'],
  ['format', 'NO_FORMAT_COMMAND'],
  ['lint', 'NO_LINT_COMMAND'],
  ['build', 'NO_BUILD_COMMAND'],
])('%s without a known command is %s', async (name, code) => {
  const { call } = await runnerTrial({});
  expect(await call(name)).toMatchObject({ success: false, error: { code } });
  expect(await call(name, { command: ' ' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  expect(await call(name, { projectPath: 'missing' })).toMatchObject({ error: { code: 'DIRECTORY_NOT_FOUND' } });
  expect(await call(name, { projectPath: '.keep' })).toMatchObject({ error: { code: 'NOT_A_DIRECTORY' } });
  expect(await call(name, { projectPath: '..' })).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
  expect(await call(name, { command: './no-such-program' })).toMatchObject({ success: false });
});

test('a project’s own command whose program is missing is UNAVAILABLE, with what to do', async () => {
  const { call } = await runnerTrial({ Gemfile: '', '.rspec': '' }, { environment: { PATH: '/nonexistent' } });
  const result = await call('run_tests');
  expect(result).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
  expect(JSON.stringify(result)).toMatch(/bundle is not installed.*bundler.*install it, or give another command/);
  // Its words name no other tool.
  expect(await call('run_tests', { command: 'no-such-program' })).toMatchObject({
    error: { code: 'COMMAND_NOT_FOUND', message: "executable 'no-such-program' not found in PATH" },
  });
});

test('a folder of projects says where they are', async () => {
  const { call } = await runnerTrial({ 'web/package.json': '{}', 'api/go.mod': '' });
  const result = await call('run_tests');
  expect(result).toMatchObject({ error: { code: 'NO_TEST_COMMAND' } });
  expect(JSON.stringify(result)).toContain('projectPath: api, web');
});

describe('permission', () => {
  const files = { 'package.json': JSON.stringify({ scripts: { lint: 'x', test: 'x' } }) };

  test('tests, formatting and building are dangerous, linting is moderate, but not with a command of the model’s', async () => {
    const { intent } = await runnerTrial(files);
    expect((await intent('run_tests', {})).risk).toBe('dangerous');
    expect((await intent('lint', {})).risk).toBe('moderate');
    expect((await intent('lint', { command: 'rm -rf x' })).risk).toBe('dangerous');
    expect((await intent('lint', { command: 'git status' })).risk).toBe('moderate');
  });

  test('grantPermission is no permission: it only asks for leave to stand, for the project’s own command', async () => {
    const { intent, bench } = await runnerTrial(files);
    const plain = await intent('run_tests', {});
    const place = bench.workspace;
    expect(plain.standing).toEqual({ place, asked: false });
    expect(await intent('run_tests', { grantPermission: true })).toEqual({
      ...plain,
      standing: { place, asked: true },
    });
    expect((await intent('run_tests', { grantPermission: true, command: 'rm x' })).standing).toBeUndefined();
  });

  test('what is shown is the command that runs', async () => {
    const { intent, bench } = await runnerTrial(files);
    expect((await intent('lint', {})).preview).toMatchObject({
      kind: 'command',
      command: 'npm run lint',
      cwd: bench.workspace,
    });
  });
});

/** A program that prints a file as it is, so that no shell reads what is in it. */
const print = (file: string, exitCode: number) => `cat ${file}; exit ${exitCode}`;

describe('results', () => {
  test('lint counts the issues and names their places as the other tools take them', async () => {
    const { call, bench } = await runnerTrial({ 'sub/a.py': 'import os', 'sub/b.py': '' });
    writeFiles(bench.workspace, {
      'sub/out.txt': `a.py:1:1: F401 unused\n${bench.workspace}/sub/b.py:2:1: E501 long\n/elsewhere/c.py:3:1: W605 odd\n`,
    });
    expect(await call('lint', { command: print('out.txt', 1), projectPath: 'sub' })).toMatchObject({
      success: true,
      data: {
        passed: false,
        issueCount: 3,
        errorCount: 3,
        warningCount: 0,
        issues: [
          { severity: 'error', message: 'unused', file: 'sub/a.py', line: 1, column: 1, rule: 'F401' },
          { file: 'sub/b.py' },
          { file: '/elsewhere/c.py' },
        ],
      },
    });
  });

  test('a build that fails names what the compiler said', async () => {
    const { call } = await runnerTrial({ 'out.txt': "src/t.c:4:3: error: 'x' undeclared\n" });
    expect(await call('build', { command: print('out.txt', 2) })).toMatchObject({
      data: { passed: false, exitCode: 2, issueCount: 1, issues: [{ file: 'src/t.c', line: 4 }] },
    });
  });

  test('failures of a package, of a class, and of a bare name are found in their folders', async () => {
    const { call } = await runnerTrial({
      'm/pkg/sum/sum_test.go': '',
      'm/other/sum_test.go': '',
      'm/lib/only.rb': '',
      'm/go.txt':
        '{"Action":"output","Package":"example.com/m/pkg/sum","Test":"TestA","Output":"    sum_test.go:6: wrong\\n"}\n{"Action":"fail","Package":"example.com/m/pkg/sum","Test":"TestA"}\n',
      'm/tap.txt':
        'TAP version 13\n1..2\nnot ok 1 - one\n  ---\n  at: only.rb:3\n  ...\nnot ok 2 - two\n  ---\n  at: sum_test.go:4\n  ...\n',
    });
    expect(await call('run_tests', { command: print('go.txt', 1), projectPath: 'm' })).toMatchObject({
      data: { summary: { failures: [{ file: 'm/pkg/sum/sum_test.go', line: 6 }] } },
    });
    expect(await call('run_tests', { command: print('tap.txt', 1), projectPath: 'm' })).toMatchObject({
      data: { summary: { failures: [{ file: 'm/lib/only.rb' }, { file: 'sum_test.go' }] } },
    });
  });

  test('a run that exits with 0 has not passed when a test failed, or when there was none', async () => {
    const { call } = await runnerTrial({
      'failed.txt': '1 failed, 2 passed in 0.02s\n',
      'none.txt': 'no tests ran in 0.01s\n',
      'fine.txt': '2 passed in 0.02s\n',
    });
    const run = (file: string, exitCode: number) => call('run_tests', { command: print(file, exitCode) });
    expect(await run('failed.txt', 0)).toMatchObject({ data: { passed: false, exitCode: 0, summary: { failed: 1 } } });
    expect(await run('none.txt', 0)).toMatchObject({ data: { passed: false, exitCode: 0, summary: { total: 0 } } });
    expect(await run('fine.txt', 0)).toMatchObject({ data: { passed: true, summary: { passed: 2 } } });
    expect(await run('fine.txt', 3)).toMatchObject({ data: { passed: false, exitCode: 3, summary: { passed: 2 } } });
  });

  test('what stands behind the part that is shown is read too', async () => {
    const { call } = await runnerTrial({
      'long.txt': `${'a line of noise\n'.repeat(10_000)}1 failed, 2 passed in 0.02s\n`,
    });
    expect(await call('run_tests', { command: print('long.txt', 1) })).toMatchObject({
      data: { truncated: true, summary: { format: 'pytest', passed: 2, failed: 1 }, taskId: expect.any(String) },
    });
  });

  test('a report that the runner says it left is read', async () => {
    const junit =
      '<testsuites><testsuite><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite></testsuites>';
    const { call } = await runnerTrial({
      'out/left.xml': junit,
      'said.txt': 'JUNIT report written to out/left.xml\n',
      'away.txt': 'JUNIT report written to ../left.xml\n',
    });
    expect(await call('run_tests', { command: print('said.txt', 1) })).toMatchObject({
      data: { summary: { format: 'junit', passed: 1, failed: 1 } },
    });
    const away = await call('run_tests', { command: print('away.txt', 1) });
    expect(away).toMatchObject({ success: true, data: { passed: false } });
    expect(away).not.toMatchObject({ data: { summary: expect.anything() } });
  });
});

describe('check_permission', () => {
  const tool = createCheckPermission({
    granted: (name, level) =>
      name === 'format' ? { granted: true, expiresAt: '2026-01-01T11:00:00.000Z' } : { granted: level === 'moderate' },
  });
  const check = async (input: unknown) => {
    const bench = testExecutor();
    onTestFinished(() => bench.close());
    writeFiles(bench.workspace, { file: '' });
    const sandbox = await createSandbox({ roots: [bench.workspace] });
    if (!sandbox.ok) throw new Error(sandbox.error.message);
    const prepared = await tool.prepare(input, createLook(sandbox.value));
    const unused = {} as Hands; // it only asks the port
    return toolResult(prepared.ok ? await prepared.value.run(unused, { changes: [], files: [] }) : prepared);
  };

  test('tells of one tool or of all four', async () => {
    const lint = { toolName: 'lint', projectPath: '.', granted: true, level: 'moderate' };
    const dangerous = (toolName: string) => ({ toolName, projectPath: '.', granted: false, level: 'dangerous' });
    const format = { ...dangerous('format'), granted: true, expiresAt: '2026-01-01T11:00:00.000Z' };
    expect(await check({ toolName: 'lint' })).toEqual({ success: true, data: lint });
    expect(await check({})).toEqual({
      success: true,
      data: { permissions: [dangerous('run_tests'), format, lint, dangerous('build')] },
    });
  });

  test('refuses other tools and other places', async () => {
    expect(await check({ toolName: 'run' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(await check({ projectPath: 'x' })).toMatchObject({ error: { code: 'DIRECTORY_NOT_FOUND' } });
    expect(await check({ projectPath: 'file' })).toMatchObject({ error: { code: 'NOT_A_DIRECTORY' } });
    expect(await check({ projectPath: '/' })).toMatchObject({ error: { code: 'PATH_TRAVERSAL_DETECTED' } });
  });
});

test('detect_project answers for a folder of the project', async () => {
  const { call } = await runnerTrial({ 'sub/Cargo.toml': '' });
  expect(await call('detect_project', { projectPath: 'sub' })).toMatchObject({ success: true, data: { type: 'rust' } });
  expect(await call('detect_project', { projectPath: 'gone' })).toMatchObject({
    error: { code: 'DIRECTORY_NOT_FOUND' },
  });
});
