import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { createSymbolReader } from './symbolReader.ts';

const signal = new AbortController().signal;

function reader(threads: number) {
  const made = createSymbolReader({ threads });
  onTestFinished(() => made.dispose());
  return made;
}

test('questions are answered each with its own files, by as many threads as allowed', async () => {
  const root = testFolder({ 'a.py': 'def a(): pass', 'b.py': 'def b(): pass', 'c.txt': '' });
  const symbols = reader(2);
  const ask = (name: string) => symbols.read([path.join(root, name)], { kind: 'symbols' }, signal);
  const answers = await Promise.all(['a.py', 'b.py', 'c.txt', 'a.py', 'none.py'].map(ask));
  expect(
    answers.map((answer) => answer.ok && answer.value.map((one) => one.problem ?? one.symbols.map(({ name }) => name))),
  ).toEqual([[['a']], [['b']], [[]], [['a']], ['unreadable']]);
});

test('a cancelled question is answered at once, the next one still works', async () => {
  const root = testFolder({ 'slow.js': '('.repeat(10_000), 'a.py': 'def a(): pass' });
  const symbols = reader(1);
  const stop = new AbortController();
  const slow = symbols.read([path.join(root, 'slow.js')], { kind: 'symbols' }, stop.signal);
  stop.abort();
  expect(await slow).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(await symbols.read([path.join(root, 'a.py')], { kind: 'symbols' }, signal)).toMatchObject({ ok: true });
});

test('when the threads end, who waits is told, and the next question starts a new one', async () => {
  const root = testFolder({ 'slow.js': '('.repeat(10_000), 'a.py': 'def a(): pass' });
  const symbols = reader(1);
  const slow = symbols.read([path.join(root, 'slow.js')], { kind: 'symbols' }, signal);
  await symbols.dispose();
  expect(await slow).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect(await symbols.read([path.join(root, 'a.py')], { kind: 'symbols' }, signal)).toMatchObject({ ok: true });
});

test('resting ends threads that nobody waits for, and no others; the next question is answered', async () => {
  const root = testFolder({ 'slow.js': '('.repeat(10_000), 'a.py': 'def a(): pass' });
  const symbols = reader(1);
  const ask = (name: string) => symbols.read([path.join(root, name)], { kind: 'symbols' }, signal);
  const slow = ask('slow.js');
  await symbols.rest();
  expect(await slow).toMatchObject({ ok: true });
  await symbols.rest();
  expect(await ask('a.py')).toMatchObject({ ok: true, value: [{ symbols: [{ name: 'a' }] }] });
});

test('J5: a program whose reader ends while an answer comes goes on to its own end', () => {
  const root = testFolder({ 'a.ts': 'export const one = 1;\n' });
  const script = `
    const { createSymbolReader } = await import(${JSON.stringify(path.join(import.meta.dirname, 'symbolReader.ts'))});
    const reader = createSymbolReader();
    const stop = new AbortController();
    void reader.read([${JSON.stringify(path.join(root, 'a.ts'))}], { kind: 'symbols' }, stop.signal);
    const ended = reader.dispose();
    stop.abort();
    await ended;
    console.log('ended');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, 'ended\n']);
});
