import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../base/processMark.ts';
import { collectOutputs, removeOutputsOf } from './taskFiles.ts';
import { createTestExecutors } from './testing/createTestExecutors.ts';
import { until } from './testing/testExecutor.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.now();

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vise-outputs-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function output(path: string, ageMs: number, sizeBytes = 10): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'x'.repeat(sizeBytes));
  utimesSync(file, (now - ageMs) / 1000, (now - ageMs) / 1000);
  return file;
}

const limits = { maxBytes: 1_000, maxAgeMs: 30 * day };
const collection = {
  isKept: (owner: string) => owner !== 'gone',
  runs: (id: string) => id === 'cli_runs',
  now,
  limits,
};

describe('outputs of tasks are collected', () => {
  test('of sessions that are gone, and of any that are too old; young ones and those that run stay', async () => {
    const files = [
      output('p1/gone/cli_a.log', 2 * hour),
      output('p1/gone/cli_b.log', hour / 2),
      output('p1/there/cli_c.log', 2 * hour),
      output('p2/there/cli_d.1.log', 31 * day),
      output('p2/there/cli_runs.log', 31 * day),
    ];
    expect(await collectOutputs(root, collection)).toBe(20);
    expect(files.map((file) => existsSync(file))).toEqual([false, true, true, false, true]);
  });

  test('the oldest first, until all fit, and a folder with its last file', async () => {
    const files = [
      output('p1/s1/cli_a.log', 5 * hour, 600),
      output('p1/s2/cli_b.log', 4 * hour, 600),
      output('p1/s2/cli_c.out', 3 * hour, 300),
    ];
    expect(await collectOutputs(root, collection)).toBe(600);
    expect(files.map((file) => existsSync(file))).toEqual([false, true, true]);
    await collectOutputs(root, collection);
    expect(existsSync(join(root, 'p1', 's1'))).toBe(false);
  });

  test('and a root that is not there holds none', async () => {
    expect(await collectOutputs(join(root, 'none'), collection)).toBe(0);
    await removeOutputsOf(join(root, 'none'), 's');
  });
});

const make = createTestExecutors();

test('what a session had started is ended and forgotten with its files, and nothing of another one', async () => {
  const one = make();
  const { task } = await one.run('sleep 100 & echo mine');
  const running = await one.background('echo up; exec sleep 100');
  await until(() => (one.executor.get(running.id)?.outputBytes ?? 0) > 0);
  const other = await one.executor.run({ command: 'echo', args: ['theirs'], cwd: one.workspace }, { owner: 'other' });
  if (!other.ok) throw new Error(other.error.message);
  const pids = [...(task.survivors ?? []), one.executor.get(running.id)?.pid ?? 0];
  await one.executor.forget('test');
  await removeOutputsOf(join(one.folder), 'test');
  expect([one.executor.list().map(({ id }) => id), pids.map(isRunning)]).toEqual([
    [other.value.task.id],
    [false, false],
  ]);
  expect([task, other.value.task].map(({ logPath }) => existsSync(logPath ?? ''))).toEqual([false, true]);
});
