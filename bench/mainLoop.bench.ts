import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { configure } from '../e2e/harness/configure.ts';
import { type Desktop, startDesktop } from '../e2e/harness/desktop.ts';
import { composerOf, pressUntilGone } from '../e2e/harness/window.ts';
import { startModelServer } from '../e2e/modelServer.ts';
import { compare, isSmoke, report } from './measure/report.ts';

// How long the desktop's main process, which has the engine, keeps its event loop waiting while a task floods the console
// (60 MB/s or what the machine gives) and a reply streams at 5,000 tokens a second: the 99th percentile of each second
// (target: 50 ms). `mainLoop` is by the clock, beside a bare Node that only measures itself in the same seconds: on a busy
// machine both wait for a core. `mainLoopBusy` counts of each wait only what the main thread itself worked, beside the same
// window at rest: what the product blocks, whatever else the machine does.

const seconds = isSmoke ? 2 : 12;
const folder = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(
  join(project, 'flood.js'),
  'const line = ("x".repeat(99) + "\\n").repeat(1000); const more = () => { while (process.stdout.write(line)); process.stdout.once("drain", more); }; more();\n',
);
const command = `${JSON.stringify(process.execPath)} flood.js`;
const tokens = 5_000 * (seconds + 20);
const server = await startModelServer({
  replies: [
    { calls: [{ tool: 'start_background_task', input: { command } }] },
    // 20 tokens a write, 250 writes a second.
    { text: 'word '.repeat(tokens), chunk: 5, bytes: 20 * 100, gapMs: 4 },
  ],
});

interface Waits {
  /** By the clock, and of that what the thread itself worked, ms. */
  readonly late: number;
  readonly busy: number;
}

/** The 99th percentiles of how late a timer of 5 ms comes within one second. It sees nothing of this file. */
async function waitsOfASecond(): Promise<Waits> {
  const late: number[] = [];
  const busy: number[] = [];
  const everyMs = 5;
  const workedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const end = performance.now() + 1000;
  for (let at = performance.now(), worked = workedMs(); at < end; ) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    const [now, work] = [performance.now(), workedMs()];
    late.push(Math.max(0, now - at - everyMs));
    busy.push(Math.min(late.at(-1) ?? 0, work - worked));
    [at, worked] = [now, work];
  }
  const p99 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.99) - 1] ?? 0;
  return { late: p99(late), busy: p99(busy) };
}

/** A Node that does nothing else, for what the machine alone keeps waiting. */
const bare = spawn(
  process.execPath,
  ['-e', `${waitsOfASecond.toString()}; process.on('message', async () => process.send(await waitsOfASecond()))`],
  { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
);
const bareWaits = (): Promise<Waits> =>
  new Promise((resolve) => {
    bare.once('message', (waits) => resolve(waits as Waits));
    bare.send('measure');
  });

/** So many seconds of the app and of the bare Node beside it. */
async function measure(desktop: Desktop, count: number): Promise<{ app: Waits[]; beside: Waits[] }> {
  const app: Waits[] = [];
  const beside: Waits[] = [];
  for (let second = 0; second < count; second += 1) {
    const [one, other] = await Promise.all([desktop.evaluate(waitsOfASecond), bareWaits()]);
    app.push(one);
    beside.push(other);
  }
  return { app, beside };
}

const home = join(folder, 'home');
mkdirSync(home);
const block = { llm_base_url: server.url, llm_model: 'test', llm_api_key: 'none' };
configure(home, { active_provider: 'local', providers: { local: block }, settings: { mode: 'direct' } });
const desktop = await startDesktop({ home, words: [project] });
try {
  const page = await desktop.page();
  const composer = composerOf(page);
  const restricted = page.getByRole('button', { name: 'Keep restricted' });
  await composer.or(restricted).first().waitFor();
  if (await restricted.isVisible()) await restricted.click();
  await composer.waitFor();
  await after(2_000);
  const rest = await measure(desktop, Math.ceil(seconds / 3));
  await composer.fill('flood');
  await composer.press('Enter');
  const once = page.getByRole('button', { name: 'Once', exact: true });
  await pressUntilGone(once, once);
  await page.getByRole('log').getByText('word word').first().waitFor();
  const { app, beside } = await measure(desktop, seconds);
  const late = (all: readonly Waits[]): readonly number[] => all.map((one) => one.late);
  const busy = (all: readonly Waits[]): readonly number[] => all.map((one) => one.busy);
  report(compare('mainLoop', 'ms', { ours: late(app), reference: late(beside) }));
  report(compare('mainLoopBusy', 'ms', { ours: busy(app), reference: busy(rest.app) }));
} finally {
  bare.kill();
  await desktop.end();
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
