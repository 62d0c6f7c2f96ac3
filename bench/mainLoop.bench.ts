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
// (target: 50 ms), against the same window at rest.

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

/** The 99th percentile of the delays of the loop in each of so many seconds, ms. */
async function delays(desktop: Desktop, count: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let second = 0; second < count; second += 1)
    found.push(
      await desktop.evaluate(async () => {
        const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
        const delay = monitorEventLoopDelay({ resolution: 5 });
        delay.enable();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        delay.disable();
        return delay.percentile(99) / 1e6;
      }),
    );
  return found;
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
  const reference = await delays(desktop, Math.ceil(seconds / 3));
  await composer.fill('flood');
  await composer.press('Enter');
  const once = page.getByRole('button', { name: 'Once', exact: true });
  await pressUntilGone(once, once);
  await page.getByRole('log').getByText('word word').first().waitFor();
  report(compare('mainLoop', 'ms', { ours: await delays(desktop, seconds), reference }));
} finally {
  await desktop.end();
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
