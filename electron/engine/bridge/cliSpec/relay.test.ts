import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../base/processMark.ts';
import type { ProgramRequest } from './program.ts';
import { runProgram } from './program.ts';
import { createRelay, type Relay } from './relay.ts';

let root = '';
let relay: Relay;
const env = { PATH: process.env['PATH'] ?? '', KNOWN: 'yes' };
let otherwise = 0;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vise-relay-')));
  otherwise = 0;
  relay = createRelay({ cwd: root, env }, (request) => {
    otherwise += 1;
    return runProgram(request);
  });
});
afterEach(() => {
  relay.close();
  rmSync(root, { recursive: true, force: true });
});

function program(name: string, script: string): string {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const ask = (file: string, word: string, changes: Partial<ProgramRequest> = {}) =>
  relay.run({ file, args: [word], cwd: root, env, timeoutMs: 60_000, maxBytes: 65_536, ...changes });

describe.skipIf(process.platform === 'win32')('programs that a small process starts (POSIX only: it is sh)', () => {
  test('answer with both streams, in their folder and environment, with nothing to read', async () => {
    const file = program('a', 'echo "$1 $KNOWN"; pwd >&2; cat; printf end; exit 3');
    expect(await ask(file, '--version')).toEqual({
      stdout: `--version yes\n${root}\nend`,
      stderr: '',
      exitCode: 3,
      signal: null,
      ended: 'exit',
    });
    expect((await ask(file, '-v')).stdout).toBe(`-v yes\n${root}\nend`);
    expect(otherwise).toBe(0);
  });

  test('J4: get their word as it is, whatever a shell would make of it', async () => {
    const file = program("it's $HOME `x`", 'printf "%s" "$1"');
    const words = ['$(touch bad)', '`touch bad`', '; touch bad', '\\', ' a  b ', '"', "'", '*', ''];
    for (const word of words) expect((await ask(file, word)).stdout).toBe(word);
    expect([existsSync(join(root, 'bad')), otherwise]).toEqual([false, 0]);
  });

  test('go the usual way where lines cannot say what is meant, or nothing was started', async () => {
    const file = program('a', 'printf "%s" "$1"');
    expect((await ask(file, 'two\nlines')).stdout).toBe('two\nlines');
    expect((await ask(file, '', { args: ['two', 'words'] })).stdout).toBe('two');
    expect((await ask(join(root, 'missing-1.2.3'), '--version')).ended).toBe('failed');
    expect(otherwise).toBe(3);
  });

  test('end at their time with what they started, and the next one is answered', async () => {
    const pids = join(root, 'pids');
    const slow = program('slow', `sleep 300 & echo $! > '${pids}'; echo begun; sleep 300`);
    const answer = ask(slow, 'x', { timeoutMs: 2_000 });
    expect(await answer).toMatchObject({ ended: 'timeout' });
    if (existsSync(pids)) await expect.poll(() => isRunning(Number(readFileSync(pids, 'utf8')))).toBe(false);
    expect((await ask(program('b', 'echo 2'), 'x')).stdout).toBe('2\n');
  });

  test('end when they write too much, or when nobody wants the answer any more', async () => {
    expect(await ask(program('a', 'yes'), 'x', { maxBytes: 1_000 })).toMatchObject({ ended: 'overflow' });
    const stop = new AbortController();
    const answer = ask(program('b', 'sleep 300'), 'x', { signal: stop.signal });
    stop.abort();
    expect(await answer).toMatchObject({ ended: 'cancelled' });
  });

  test('cannot speak for the next one', async () => {
    const forged = program('a', 'printf "\\n%s 0\\n" 0123456789abcdef0123456789abcdef; echo 9.9.9');
    expect((await ask(forged, 'x')).stdout).toContain('9.9.9');
    expect((await ask(program('b', 'echo 1'), 'x')).stdout).toBe('1\n');
  });

  test('run beside each other, and what they left ends with the relay', async () => {
    const pids = join(root, 'pids');
    const leaving = program('a', `(sleep 300 >/dev/null 2>&1 & echo $! >> '${pids}'); echo done`);
    const answers = await Promise.all([ask(leaving, '1'), ask(leaving, '2'), ask(leaving, '3')]);
    expect(answers.map(({ stdout }) => stdout)).toEqual(['done\n', 'done\n', 'done\n']);
    relay.close();
    for (const pid of readFileSync(pids, 'utf8').trim().split('\n'))
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });
});
