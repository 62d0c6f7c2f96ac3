import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadStream } from 'node:tty';
import { systemClock } from '../electron/engine/base/clock.ts';
import { createExecutor } from '../electron/engine/exec/createExecutor.ts';
import type { CommandRequest } from '../electron/engine/exec/executor.ts';
import { loadNodePty } from '../electron/engine/exec/host/nodePty.ts';
import { defaultSettings } from '../shared/model/settings.ts';
import { openLab } from './measure/agentRun.ts';
import { residentBytes, treeOf } from './measure/processTree.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// 200 MB in lines of 62 bytes through executor and host to the log and a live view that acknowledges, against a bare
// reader of a pseudo-terminal with output post-processing off; `seq` the same way against raw node-pty with its default
// settings. MB/s, more is better: targets 0.7 and 2. Then memory during the flood: floodTree is the whole process tree of
// the shipped program that runs the command (target 200 MB), against the same tree while it runs one that prints nothing;
// floodEngineAndHost is this process, which has the executor and the live view, with the host, against both at rest
// (target: 64 MB more).

const lines = isSmoke ? 50_000 : 3_225_807;
const numbers = isSmoke ? 50_000 : 5_000_000;
const line = `${'x'.repeat(61)}\n`;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
const workspace = join(folder, 'project');
const source = join(workspace, 'flood.txt');
mkdirSync(workspace);
for (let left = lines; left > 0; left -= 50_000)
  writeFileSync(source, line.repeat(Math.min(left, 50_000)), { flag: 'a' });

const { native, spawn: spawnPty } = loadNodePty();
const env = { PATH: process.env['PATH'] ?? '' };
const executor = createExecutor({
  settings: () => defaultSettings,
  clock: systemClock,
  log: { warn: (what, error) => console.error(what, error) },
  workspace,
  taskFolder: join(folder, 'tasks'),
  socketFolder: join(folder, 'run'),
  hostEntry: join(import.meta.dirname, '..', 'out', 'ptyHost.js'),
  environment: process.env,
});

const megabytesPerSecond = (bytes: number, ms: number): number => bytes / 1e6 / (ms / 1000);

/** MB/s from the order to the end of the task, when its whole log is written and its view has had everything it gets. */
async function throughVise(command: string, args: readonly string[], bytes: number): Promise<number> {
  const request: CommandRequest = { command, args, cwd: workspace, background: true };
  const started = performance.now();
  const run = await executor.run(request, { owner: 'bench' });
  if (!run.ok) throw new Error(run.error.message);
  const { id } = run.value.task;
  const viewEnded = Promise.withResolvers<void>();
  const attached = await executor.attach(id, {
    columns: 80,
    rows: 24,
    onBytes: (some) => {
      if (attached.ok) attached.value.ack(some.length);
    },
    onEnd: viewEnded.resolve,
  });
  if (!attached.ok) throw new Error(attached.error.message);
  const task = await executor.wait(id);
  if (!attached.value.ended) await viewEnded.promise;
  const took = performance.now() - started;
  if (!task.ok || task.value.exitCode !== 0) throw new Error(`unexpected: ${JSON.stringify(task)}`);
  const logged = statSync(task.value.logPath ?? '').size;
  if (logged !== bytes) throw new Error(`The log has ${logged} of ${bytes} bytes.`);
  executor.remove(id);
  return megabytesPerSecond(bytes, took);
}

/** MB/s of the kernel's terminal with nothing behind it but one read after the other. */
async function bareReader(): Promise<number> {
  if (native === null) throw new Error('There are no pseudo-terminals to read here.');
  const { master, slave, pty } = native.open(80, 24);
  // The native one does not block; a command needs one that does.
  const blocking = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
  closeSync(slave);
  const off = spawnSync('stty', ['-opost'], { stdio: [blocking, 'ignore', 'inherit'] });
  if (off.status !== 0) throw new Error('stty -opost failed.');
  const reader = new ReadStream(master);
  const ended = Promise.withResolvers<void>();
  let read = 0;
  reader.on('data', (some: Buffer) => {
    read += some.length;
  });
  // Linux: EIO when the last writer is gone.
  reader.on('error', () => undefined);
  reader.on('close', () => ended.resolve());
  const started = performance.now();
  spawn('cat', [source], { stdio: ['ignore', blocking, 'ignore'] });
  closeSync(blocking);
  await ended.promise;
  const took = performance.now() - started;
  if (read !== statSync(source).size) throw new Error(`The reader had ${read} bytes.`);
  return megabytesPerSecond(read, took);
}

/** MB/s of what `seq` printed, not of what the kernel made of it; node-pty can lose the tail, which is in its favour. */
function rawNodePty(bytes: number): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    const terminal = spawnPty('seq', ['1', String(numbers)], { env });
    terminal.onData(() => undefined);
    terminal.onExit(() => resolve(megabytesPerSecond(bytes, performance.now() - started)));
  });
}

function bytesOfNumbers(): number {
  let bytes = 0;
  for (let width = 1, from = 1; from <= numbers; width += 1, from *= 10)
    bytes += (Math.min(numbers, from * 10 - 1) - from + 1) * (width + 1);
  return bytes;
}

/** The highest resident megabytes of the shipped program's tree while it runs a command. */
async function shippedTree(command: string): Promise<number> {
  const lab = openLab();
  try {
    const replies = [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'Done.' }];
    return (await lab.run('ours', replies, { memory: true })).peakBytes / 1e6;
  } finally {
    lab.remove();
  }
}

/** Megabytes of engine and host while the flood runs, and of the same processes before it. */
async function memory(): Promise<Readonly<Record<'flooded' | 'atRest', number>>> {
  const resident = treeOf(process.pid);
  const atRest = residentBytes(resident);
  let flooded = atRest;
  const timer = setInterval(() => {
    flooded = Math.max(flooded, residentBytes(resident));
  }, 10);
  await throughVise('cat', [source], statSync(source).size);
  clearInterval(timer);
  return { flooded: flooded / 1e6, atRest: atRest / 1e6 };
}

// The view may end after its task: until then nothing else keeps this process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  // Starts the host; then memory comes first, while this process is as small as an engine's.
  await throughVise('seq', ['1', '10'], 21);
  if (process.platform === 'linux') {
    const { flooded, atRest } = await memory();
    report(compare('floodEngineAndHost', 'MB', { ours: [flooded], reference: [atRest] }));
    const tree = { ours: [await shippedTree(`cat ${source}`)], reference: [await shippedTree('sleep 1')] };
    report(compare('floodTree', 'MB', tree));
  }
  const size = statSync(source).size;
  const ours = (): Promise<number> => throughVise('cat', [source], size);
  report(compare('flood200MB', 'MB/s', await byTurns(3, { ours, reference: bareReader })));
  const bytes = bytesOfNumbers();
  const seq = (): Promise<number> => throughVise('seq', ['1', String(numbers)], bytes);
  report(compare('floodSeq', 'MB/s', await byTurns(3, { ours: seq, reference: () => rawNodePty(bytes) })));
} finally {
  clearInterval(alive);
  await executor.dispose();
  rmSync(folder, { recursive: true, force: true });
}
