import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testExecutor } from './testExecutor.ts';

// Started by exhaustion.test.ts in a namespace of its own: `exhausted.ts PART PLACE` prints what was left as JSON.

const [part = '', place = ''] = process.argv.slice(2);
const folder = join(place, 'own');
mkdirSync(folder);
const isWatched = part === 'watchedBomb';
const one = testExecutor({
  folder,
  sandbox: { commands: part === 'sandboxedBomb' },
  ...(isWatched && { maxProcesses: 150 }),
});
const processes = (): number => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;
/** What is left of the bomb; what has ended and nobody asked for has no command line. */
const bombs = (): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && /bombOfTest|sleep.12345/.test(readFileSync(`/proc/${name}/cmdline`, 'utf8'));
    } catch {
      return false; // ended meanwhile
    }
  }).length;

async function grown(count: number): Promise<void> {
  while (processes() < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

if (part === 'fullDisk') {
  const { task, output } = await one.run('head -c 20000000 /dev/zero > filler; echo "code $?"; exit 3');
  rmSync(join(one.workspace, 'filler'), { force: true });
  const { output: next } = await one.run('echo alive');
  await one.close();
  const full = /No space left/.test(`${output.stdout}${output.stderr}`);
  process.stdout.write(JSON.stringify({ state: task.state, full, next: next.stdout, left: bombs() }));
} else {
  const task = await one.background('bombOfTest() { bombOfTest & bombOfTest & exec sleep 12345; }; bombOfTest');
  if (!isWatched) {
    await grown(300);
    await one.executor.cancel(task.id);
  }
  const ended = await one.ended(task.id);
  const { output: next } = await one.run('echo alive');
  await one.close();
  process.stdout.write(JSON.stringify({ state: ended.state, error: ended.error, next: next.stdout, left: bombs() }));
}
