import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolder, productRoot as root } from '../../e2e/harness/folders.ts';
import { type Ended, type Mode, modes, treeOf, wrongEnd, wrongFiles } from './judge.ts';
import { type Reply, type Task, tasks } from './tasks.ts';

// npm run trial [-- PART OF A NAME]: the tasks of tasks.ts through `vise exec` of the built product, in the phased and in
// the direct mode, each in a copy of an installed package. Judged by the bytes on the disk, by the outcome that is told,
// by the exit code and by what stands on standard output.

const cli = join(root, 'out', 'cli.js');
const limitMs = 120_000;

function repliesOf(task: Task, mode: Mode, files: (path: string) => string): readonly Reply[] {
  const work = task.work(files);
  if (task.steps.length === 0) return work;
  const end: readonly Reply[] = task.stops ? [] : [{ text: 'It is done.' }];
  if (mode === 'direct') return [...work, ...end];
  const report = (tool: string, input: unknown): Reply => ({ calls: [{ tool, input }] });
  const steps = task.steps.map((target_files, index) => ({ intent: `step ${index + 1}`, target_files }));
  return [
    ...(task.early?.(files) ?? []),
    report('report_findings', { key_findings: ['looked at the files'], relevant_files: [] }),
    report('report_plan', { steps }),
    ...work,
    ...(task.stops ? [] : [report('report_done', { summary: 'It is done.' })]),
    ...end,
  ];
}

function vise(home: string, words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, VISE_HOME: home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [cli, 'exec', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** What is wrong with how a task went; nothing when all is right. */
async function tryTask(task: Task, mode: Mode): Promise<readonly string[]> {
  const place = makeFolder('trial');
  try {
    const project = join(place, task.package);
    cpSync(join(root, 'node_modules', task.package), project, { recursive: true });
    const wanted = treeOf(project);
    const files = (path: string): string => readFileSync(join(project, path), 'utf8');
    for (const [path, text] of Object.entries(task.expected(files))) {
      if (text === null) wanted.delete(path);
      else wanted.set(path, Buffer.from(text).toString('latin1'));
    }
    mkdirSync(join(place, 'home'));
    const script = join(place, 'script.json');
    writeFileSync(script, JSON.stringify({ replies: repliesOf(task, mode, files) }));
    const ended = await vise(join(place, 'home'), [
      ...['--project', project, '--mode', mode, '--provider', 'scripted', '--script', script],
      ...['--allow', 'dangerous', '--trust-workspace', '--json', task.ask],
    ]);
    return [...wrongFiles(wanted, treeOf(project)), ...wrongEnd(task, mode, ended)];
  } finally {
    removeFolder(place);
  }
}

if (!existsSync(cli)) {
  console.error('There is no built product. Run npm run build first.');
  process.exitCode = 2;
} else {
  const part = process.argv[2] ?? '';
  const chosen = tasks.filter(({ name }) => name.includes(part));
  let right = 0;
  for (const task of chosen)
    for (const mode of modes) {
      const wrong = await tryTask(task, mode);
      if (wrong.length === 0) right += 1;
      console.log(`${wrong.length === 0 ? 'right' : 'WRONG'}  ${mode.padEnd(6)}  ${task.name} (${task.package})`);
      for (const line of wrong) console.log(`       ${line}`);
    }
  const all = chosen.length * modes.length;
  console.log(`${right} of ${all} right`);
  if (right < all || all === 0) process.exitCode = 1;
}
