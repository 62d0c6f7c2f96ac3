import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ProgramRequest, runProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'vise-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(script: string, changes: Partial<ProgramRequest> = {}) {
  return runProgram({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 10_000,
    maxBytes: 1_000_000,
    ...changes,
  });
}

/** Ended, or ended and not yet waited for by its new parent. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}

describe.skipIf(process.platform === 'win32')('runProgram (POSIX only: it uses sh)', () => {
  test('gives both streams and the exit code', async () => {
    expect(await start('echo out; echo err >&2; exit 3')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
      signal: null,
      ended: 'exit',
    });
  });

  test('a program that is not there is told, not thrown', async () => {
    const outcome = await start('', { file: join(folder, 'nothing') });
    expect([outcome.ended, outcome.failure?.includes('ENOENT')]).toEqual(['failed', true]);
  });

  test('a NUL is told, not thrown', async () => {
    expect((await start('', { args: ['a\0b'] })).ended).toBe('failed');
  });

  test('J5: one byte over the limit ends it, and what is kept stays below', async () => {
    const exact = await start('head -c 1000 /dev/zero', { maxBytes: 1_000 });
    const over = await start('head -c 1001 /dev/zero; sleep 60', { maxBytes: 1_000 });
    expect([exact.ended, exact.stdout.length, over.ended, over.stdout.length]).toEqual([
      'exit',
      1_000,
      'overflow',
      1_000,
    ]);
  });

  test('a timeout ends grandchildren too, also those that ignore TERM', async () => {
    const outcome = await start('(trap "" TERM; echo $$; exec sleep 60) & echo $!; sleep 60', { timeoutMs: 300 });
    const pids = outcome.stdout.split('\n').filter(Boolean).map(Number);
    expect(outcome.ended).toBe('timeout');
    await expect.poll(() => pids.every(isGone)).toBe(true);
  });

  test('a child that keeps the pipes open does not hold the answer, and is ended', async () => {
    const outcome = await start('sleep 60 & echo $!');
    expect(outcome.exitCode).toBe(0);
    await expect.poll(() => isGone(Number(outcome.stdout))).toBe(true);
  });

  test('an abort stops it', async () => {
    const stop = new AbortController();
    const running = start('sleep 60', { signal: stop.signal });
    stop.abort();
    expect((await running).ended).toBe('cancelled');
  });

  test('stdin is given and closed', async () => {
    expect((await start('cat', { stdin: 'text' })).stdout).toBe('text');
  });
});
