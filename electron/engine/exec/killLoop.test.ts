import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { markOf } from '../base/processMark.ts';
import { signalProcess } from '../base/signals.ts';
import { findProcesses } from './processes/processTree.ts';
import { isFinal } from './taskBoard.ts';
import { type TestExecutor, testExecutor, until } from './testing/testExecutor.ts';

// Kills the engine, the PTY host or the command at a random moment, again and again. `VISE_KILLS=200` for the long run.
const kills = Number(process.env['VISE_KILLS'] ?? 8);
const linux = process.platform === 'linux';
/** What a killed host takes along of one stream: one read in its hands (its buffer at most) and what the kernel still held of the terminal. */
const inHandBytes = 2 * 64 * 1024;

/** Counts aloud on both streams and says in a file, after each line, how far it has come; a child that left the session counts on in silence. */
const counting = `setsid sleep 1000 & i=0; while :; do i=$((i+1)); echo "out $i"; echo "err $i" >&2; echo $i >>"$WITNESS"; done`;
/** Prints without a pause: what is lost on the way is a gap. */
const flood = 'seq 1 100000000';

interface Killed {
  readonly task: Task;
  /** The last line that the command is known to have written before the kill. */
  readonly written: number;
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '');
const lastLine = (path: string): number => Number(read(path).split('\n').at(-2) ?? 0);

/** Waits until the command has come a random way. */
const random = async (witness: string): Promise<void> => {
  const lines = 1 + Math.floor(Math.random() * 3_000);
  await until(() => lastLine(witness) >= lines);
};

const left = async ({ id, pid }: Task): Promise<readonly number[]> =>
  (await findProcesses([{ task: id, leader: pid ?? -1 }])).get(id) ?? [];

const hostOf = async (one: TestExecutor): Promise<number> => Number((await one.run('echo $PPID')).output.stdout);

/** An answer that is no number, as of a host that has just ended, would name another process or a group. */
const kill = (pid: number): void => {
  if (!signalProcess(markOf(pid), 'SIGKILL')) throw new Error(`There is no process ${pid} to kill.`);
};

/** The command is killed, or its host; this engine says what became of the task. */
const killCounting = async (one: TestExecutor, victim: 'host' | 'task', round: number): Promise<Killed> => {
  const host = await hostOf(one);
  const witness = join(one.folder, `witness${round}`);
  const { id } = await one.background(counting, { env: { WITNESS: witness } });
  await random(witness);
  await until(() => one.executor.get(id)?.pid !== undefined);
  const pid = one.executor.get(id)?.pid ?? Number.NaN;
  const written = lastLine(witness);
  kill(victim === 'host' ? host : pid);
  const task = await one.ended(id);
  if (victim === 'task') {
    // A child that had not come to leave its session when its terminal was hung up has ended with it: then none is named.
    const named = (): boolean => (one.executor.get(id)?.survivors ?? []).length > 0;
    await until(async () => named() || (await left(task)).length === 0);
    await one.executor.endSurvivors(id);
  }
  return { task, written };
};

/** The host is killed while a command floods, from the moment on at which it is told to start it. */
const killFlooded = async (one: TestExecutor): Promise<Killed> => {
  const host = await hostOf(one);
  const { id } = await one.background(flood);
  await delay(Math.random() ** 2 * 100);
  kill(host);
  return { task: await one.ended(id), written: 0 };
};

/** An engine in a process of its own is killed; another one says what became of its task. */
const killEngine = async (one: TestExecutor, round: number): Promise<Killed> => {
  const witness = join(one.folder, `witness${round}`);
  const program = `
    const { testExecutor, until } = await import(${JSON.stringify(join(import.meta.dirname, 'testing/testExecutor.ts'))});
    const one = testExecutor();
    const { id } = await one.background(${JSON.stringify(counting)}, { env: { WITNESS: ${JSON.stringify(witness)} } });
    await until(() => one.executor.get(id)?.pid !== undefined);
    console.log(JSON.stringify({ folder: one.folder, task: one.executor.get(id) }));
  `;
  const engine: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (engine.stdout === null) throw new Error('It was started with a pipe.');
  const ended = once(engine, 'exit').then(() => {
    throw new Error('The engine ended before it had started its task.');
  });
  ended.catch(() => undefined); // later it is killed, which is no fault
  const [line] = (await Promise.race([once(engine.stdout, 'data'), ended])) as [Buffer];
  const { folder, task } = JSON.parse(line.toString()) as { folder: string; task: Task };
  await random(witness);
  const written = lastLine(witness);
  engine.kill('SIGKILL');
  await until(async () => (await left(task)).length === 0);
  const next = testExecutor({ folder });
  try {
    await next.executor.recover([{ owner: 'test', task }]);
    const found = next.executor.get(task.id);
    if (found === undefined) throw new Error('The task is not known any more.');
    // The host of the killed engine may still be writing what it read.
    await expect.poll(() => faults({ task: found, written })).toEqual([]);
    return { task: found, written };
  } finally {
    await next.close();
  }
};

/**
 * What is not as the command wrote it: each stream, byte for byte, is a beginning of what it counts, up to the last line that
 * is known; of a killed host the last `lostBytes` at most may be missing.
 */
const faults = ({ task, written }: Killed, lostBytes = 0): readonly string[] => {
  const base = (task.logPath ?? '').replace(/\.log$/, '');
  const log = read(`${base}.log`);
  const found: string[] = [];
  const check = (what: string, text: string, word: string): void => {
    let at = 0;
    let line = 1;
    let missing = 0;
    for (; at < text.length; line += 1) {
      const expected = `${word}${line}\n`;
      if (!text.startsWith(expected, at) && !expected.startsWith(text.slice(at))) {
        found.push(
          `${what}: ${JSON.stringify(text.slice(at, at + 40))} in the place of line ${line}, at ${at} of ${text.length}`,
        );
        return;
      }
      at += expected.length;
    }
    for (let lost = line; lost <= written; lost += 1) missing += `${word}${lost}\n`.length;
    if (missing > lostBytes) found.push(`${what}: ${line - 1} of ${written} lines`);
  };
  if (task.command === flood) check('log', log, '');
  else {
    for (const word of ['out', 'err']) {
      const stream = read(`${base}.${word}`);
      check(word, stream, `${word} `);
    }
    // The log is written first.
    const ahead = log.length - read(`${base}.out`).length - read(`${base}.err`).length;
    if (ahead < 0 || ahead > lostBytes) found.push(`log: ${ahead} bytes ahead of the two streams`);
  }
  return found;
};

test.skipIf(!linux)(
  `N1: after random kills no process is left, what was printed is in its log up to a host's last piece, and every task has ended${
    linux ? '' : ' (skipped but on Linux: it reads /proc)'
  }`,
  async () => {
    const one = testExecutor();
    const rounds = {
      engine: (round: number) => killEngine(one, round),
      host: (round: number) => killCounting(one, 'host', round),
      task: (round: number) => killCounting(one, 'task', round),
      flooded: () => killFlooded(one),
    };
    const victims = ['host', 'flooded', 'task', 'engine'] as const;
    const sizes: Record<keyof typeof rounds, number> = { engine: 0, host: 0, task: 0, flooded: 0 };
    try {
      for (let i = 0; i < kills; i += 1) {
        const victim = victims[i % 4] ?? 'host';
        const killed = await rounds[victim](i);
        const { task } = killed;
        const hostKilled = victim === 'host' || victim === 'flooded';
        const wrong = victim === 'engine' ? [] : faults(killed, hostKilled ? inHandBytes : 0);
        // The host of a killed engine may still be about to leave word of its end.
        if (victim !== 'engine') expect(task.error?.includes('The log is incomplete') ?? false).toBe(hostKilled);
        expect([victim, task.state, isFinal(task), wrong]).toEqual([
          victim,
          victim === 'task' ? 'completed' : 'lost',
          true,
          [],
        ]);
        await until(async () => (await left(task)).length === 0);
        sizes[victim] += killed.written + read(task.logPath ?? '').length;
        if (victim !== 'engine') one.executor.remove(task.id);
      }
    } finally {
      await one.close();
    }
    if (kills > 8) console.log(JSON.stringify({ kills, sizes }));
  },
  60_000 + kills * 20_000,
);
