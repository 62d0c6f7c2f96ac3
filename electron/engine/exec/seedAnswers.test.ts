import { expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { seedAnswer, seedResult, seedStatus } from './seedAnswers.ts';

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

test('a finished command answers with the keys of the seed', () => {
  expect(seedAnswer({ kind: 'finished', task, output }, 50)).toEqual({
    stdout: 'o',
    stderr: 'e',
    returncode: 3,
    mode: 'direct',
    duration_ms: 2500,
  });
});

test('a signal is a negative return code', () => {
  const { exitCode: _, ...killed } = { ...task, signal: 'SIGKILL' };
  expect(seedResult(killed, output, 50)).toEqual({ stdout: 'o', stderr: 'e', returncode: -9, signal: 'SIGKILL' });
});

test('cut output says so and by how much', () => {
  const cut = seedResult(task, { ...output, truncated: true, stdoutChars: 90 }, 50);
  expect(cut).toMatchObject({
    truncated: true,
    stdout_chars: 90,
    truncation_message: expect.stringMatching(/^Output truncated to 50 chars\. /),
  });
});

test.each([
  ['estimated', 'Command backgrounded due to estimated duration'],
  ['measured', 'Command exceeded 10s threshold, continuing in background'],
] as const)('a command backgrounded as %s says why', (reason, message) => {
  const running: Task = { ...task, state: 'running', estimateSeconds: 30 };
  expect(seedAnswer({ kind: 'background', task: running, reason, thresholdSeconds: 10, output }, 50)).toEqual({
    background_task_id: 'cli_abc123',
    task_id: 'cli_abc123',
    status: 'running',
    message,
    reason,
    auto_backgrounded: true,
    estimated_duration_seconds: 30,
    threshold_seconds: 10,
    ...(reason === 'measured' ? { stdout: 'o', stderr: 'e' } : {}),
  });
});

test('a checked task has its times, and its result when it is final', () => {
  expect(seedStatus(task, output, 50)).toEqual({
    task_id: 'cli_abc123',
    status: 'completed',
    command: 'npm install',
    created_at: task.createdAt,
    started_at: task.startedAt,
    completed_at: task.endedAt,
    duration_seconds: 2.5,
    result: { stdout: 'o', stderr: 'e', returncode: 3 },
  });
});
