import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from '../bench/measure/processTree.ts';
import type { Task } from '../shared/model/task.ts';
import { configure, scripted } from './harness/configure.ts';
import { connect } from './harness/connect.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { pressUntilGone } from './harness/window.ts';

// 200 MB from one command, in lines of 100 bytes: the page stays alive, no process grows with it, the log has all of it.

const line = `${'0123456789'.repeat(9)} flooding\n`;
const lines = 2_000_000;
const totalBytes = line.length * lines;

/** No process may hold a tenth of the flood twice over; what they need anyway is well below (Node about 60 MB). */
const boundBytes = 400e6;

/** The highest resident memory of one process, bytes; 0 when it is gone. Linux only. */
function peakOf(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

test('200 MB of output: frames keep coming, memory stays bounded, the log is whole, and stop is answered', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.skip(process.platform !== 'linux', 'the memory of other processes is read from /proc, which only Linux has');
  test.setTimeout(600_000);
  const source = [
    `const line = ${JSON.stringify(line)}.repeat(1000); let left = ${lines / 1000};`,
    'const more = () => { while (left > 0) { left -= 1; if (!process.stdout.write(line)) return process.stdout.once("drain", more); }',
    // It stays, so that stopping can be tried on it.
    'process.stdout.write("THE END\\n"); setInterval(() => 0, 1000); };',
    'more();',
  ].join('\n');
  const project = makeProject({ 'flood.js': source });
  configure(home, { settings: { mode: 'direct', shell: { autoBackgroundThresholdSeconds: 1 } } });
  const command = `${JSON.stringify(process.execPath)} flood.js`;
  const args = scripted(home, [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'It floods.' }]);
  const { url, pid } = await serve({ project, args });
  const client = await connect(url);
  const tasks = new Map<string, Task>();
  client.onEvent(({ event }) => {
    if ('task' in event && typeof event.task === 'object') tasks.set(event.task.id, event.task);
  });

  await page.goto(url);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('flood it');
  await composer.press('Enter');
  const session = await until('the session', async () => {
    const bench = await client.call('workbench.watch', {});
    return bench.ok && Object.keys(bench.value.state.sessions)[0];
  });
  const watched = await client.call('session.watch', { session });
  if (watched.ok) for (const task of Object.values(watched.value.state.tasks)) tasks.set(task.id, task);
  const once = page.getByRole('button', { name: 'Once', exact: true });
  await expect(once).toBeVisible();
  // From before the first byte on: how many frames come. A page that is starved paints none.
  await page.evaluate(() => {
    const shared = globalThis as unknown as { framesSeen: number };
    shared.framesSeen = 0;
    const step = (): void => {
      shared.framesSeen += 1;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  await pressUntilGone(once, once);
  // On show while it floods, as a person would watch it.
  await page
    .getByRole('region', { name: 'Console' })
    .getByRole('tab', { name: /flood\.js/ })
    .first()
    .click();

  const task = await until('the task', () => [...tasks.values()][0]);
  const logBytes = (): number => {
    try {
      return statSync(task.logPath ?? join(home, 'none')).size;
    } catch {
      return 0;
    }
  };
  const peaks = new Map<number, number>();
  await until(
    'the whole flood to be on the disk',
    () => {
      for (const each of treeOf(pid)) peaks.set(each, Math.max(peaks.get(each) ?? 0, peakOf(each)));
      return logBytes() >= totalBytes + 'THE END\n'.length;
    },
    { limitMs: 400_000, report: () => `${logBytes()} of ${totalBytes} bytes are in ${task.logPath ?? 'no log'}` },
  );
  // How long one takes is for the benchmark: it depends on what else the machine does.
  expect(await page.evaluate(() => (globalThis as unknown as { framesSeen: number }).framesSeen)).toBeGreaterThan(5);
  for (const [each, peak] of peaks)
    expect({ each, peak: peak < boundBytes ? 'bounded' : peak }).toEqual({ each, peak: 'bounded' });
  const heap = await page.evaluate(
    () => (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
  );
  expect(heap).toBeLessThan(boundBytes);

  // The log is whole, byte for byte in number.
  const ending = Buffer.from('THE END');
  const log = readFileSync(task.logPath ?? '');
  expect(log.subarray(-16).includes(ending)).toBe(true);
  expect(log.filter((byte) => byte === 0x0a)).toHaveLength(lines + 1);

  const stopped = await client.call('task.stop', { session, task: task.id });
  expect(stopped).toMatchObject({ ok: true, value: { cancelled: true } });
  await until('the command to be gone', () => tasks.get(task.id)?.state === 'cancelled');
  client.close();
});
