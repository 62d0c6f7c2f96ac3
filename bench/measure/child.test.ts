import { expect, test } from 'vitest';
import { measureChild } from './child.ts';

const onLinux = process.platform === 'linux';

test('a program’s output, exit code and time are told', async () => {
  const script = 'process.stdin.pipe(process.stdout); console.error("aside"); process.exitCode = 3';
  const { wallMs, ...cost } = await measureChild(process.execPath, ['-e', script], { stdin: 'in' });
  expect(cost).toEqual({ cpuSeconds: expect.any(Number), peakBytes: 0, code: 3, stdout: 'in', stderr: 'aside\n' });
  expect(wallMs).toBeGreaterThan(1);
});

test.runIf(onLinux)('CPU time and memory of a grandchild count', async () => {
  // The grandchild holds 64 MB and burns 0.2 s of its own CPU time; its parent only waits.
  const grandchild =
    'const b = Buffer.alloc(64 << 20, 1); while (process.cpuUsage().user < 200_000); setTimeout(() => b[0], 200)';
  const child = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`;
  const { cpuSeconds, peakBytes } = await measureChild(process.execPath, ['-e', child], { memory: true });
  expect(cpuSeconds).toBeGreaterThanOrEqual(0.2);
  expect(peakBytes).toBeGreaterThan(2 * 30e6 + 64e6);
});

test('a program that takes too long is killed, and the measurement fails', async () => {
  await expect(measureChild(process.execPath, ['-e', 'setInterval(() => 0, 9999)'], { limitMs: 200 })).rejects.toThrow(
    'took too long',
  );
});

test('a program that is not there fails the measurement', async () => {
  await expect(measureChild('/no/such/program', [])).rejects.toThrow('ENOENT');
});
