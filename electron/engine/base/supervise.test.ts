import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a fault that nobody caught does not end a supervised process, and is told', () => {
  const script = `const { superviseProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'supervise.ts'))});
    const watch = superviseProcess((what, error) => console.log(what + ': ' + error.message));
    void Promise.reject(new Error('one'));
    setTimeout(() => { throw new Error('two'); }, 1);
    setTimeout(() => { console.log('alive'); watch.dispose(); void Promise.reject(new Error('three')); }, 20);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual([
    'a promise was rejected and nobody heard of it: one',
    'a fault was caught by nobody: two',
    'alive',
  ]);
  expect(status).toBe(1); // without it the process ends as ever
});
