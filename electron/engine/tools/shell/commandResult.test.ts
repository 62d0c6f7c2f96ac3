import { describe, expect, test } from 'vitest';
import type { Task } from '../../../../shared/model/task.ts';
import { backgroundResult, endedResult } from './commandResult.ts';

const task: Task = {
  id: 'cli_abc123',
  title: 't',
  command: 'npm install',
  mode: 'direct',
  cwd: '/p',
  kind: 'agent',
  state: 'completed',
  exitCode: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:01.000Z',
  endedAt: '2026-01-01T00:00:03.500Z',
  outputBytes: 2,
};
const output = { stdout: 'o', stderr: 'e', truncated: false, stdoutChars: 1, stderrChars: 1 };

describe('what is answered of a command', () => {
  test('that has ended', () => {
    expect(endedResult(task, output, 50)).toEqual({
      stdout: 'o',
      stderr: 'e',
      returncode: 3,
      mode: 'direct',
      duration_ms: 2500,
    });
  });

  test.each([
    ['SIGKILL', -9],
    ['SIGTERM', -15],
    ['SIGXCPU', -24],
  ])('that %s has ended: minus the number of the signal', (signal, returncode) => {
    const { exitCode: _, ...killed } = { ...task, signal };
    expect(endedResult(killed, output, 50)).toMatchObject({ returncode, signal });
  });

  test('that was cut', () => {
    const cut = { stdout: 'o', stderr: 'e', truncated: true, stdoutChars: 70, stderrChars: 8 };
    const { truncated, truncation_message, stdout_chars, stderr_chars } = endedResult(task, cut, 50);
    expect([truncated, stdout_chars, stderr_chars]).toEqual([true, 70, 8]);
    expect(truncation_message).toMatch(/^Output truncated to 50 chars\. /);
  });

  test('that goes on and has written more than fits: cut by the usual rule, and said so', () => {
    const cut = { stdout: 'o', stderr: 'e', truncated: true, stdoutChars: 70, stderrChars: 8 };
    const running: Task = { ...task, state: 'running' };
    expect(
      backgroundResult({ kind: 'background', task: running, reason: 'measured', thresholdSeconds: 1, output: cut }, 50),
    ).toMatchObject({
      truncated: true,
      truncation_message: expect.stringMatching(/^Output truncated to 50 chars\. /) as unknown,
      stdout_chars: 70,
      stderr_chars: 8,
    });
  });

  test('that wrote more than is kept of a stream, without a limit of the settings', () => {
    const cut = { stdout: 'o', stderr: 'e', truncated: true, stdoutChars: 70, stderrChars: 8 };
    expect(endedResult(task, cut, 0)).toMatchObject({
      truncation_message: expect.stringMatching(/^Output truncated to the first 10 MiB of each stream\. /) as unknown,
    });
  });

  test('that was lost or ran out of time', () => {
    const { exitCode: _, ...rest } = task;
    expect(endedResult({ ...rest, state: 'lost', error: 'gone' }, output, 50)).toMatchObject({
      returncode: null,
      status: 'lost',
      error: 'gone',
    });
    expect(endedResult({ ...rest, state: 'timeout', signal: 'SIGTERM' }, output, 50)).toMatchObject({
      returncode: -15,
      status: 'timeout',
    });
  });

  test('that goes on, by its estimate and by the time it took', () => {
    const running: Task = { ...task, state: 'running', estimateSeconds: 30 };
    const kind = 'background' as const;
    expect(backgroundResult({ kind, task: running, reason: 'estimated', thresholdSeconds: 10, output }, 50)).toEqual({
      background_task_id: 'cli_abc123',
      task_id: 'cli_abc123',
      status: 'running',
      message: 'Command backgrounded due to estimated duration',
      reason: 'estimated',
      auto_backgrounded: true,
      threshold_seconds: 10,
      estimated_duration_seconds: 30,
    });
    expect(
      backgroundResult({ kind, task: running, reason: 'measured', thresholdSeconds: 0.3, output }, 50),
    ).toMatchObject({
      message: 'Command exceeded 0.3s threshold, continuing in background',
      auto_backgrounded: true,
      stdout: 'o',
      stderr: 'e',
    });
  });
});
