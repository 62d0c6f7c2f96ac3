import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '../../../shared/model/task.ts';
import { findProcesses } from './processTree.ts';
import { isFinal } from './taskBoard.ts';
import { type TestExecutor, testExecutor, until } from './testing/testExecutor.ts';

// Kills the engine, the PTY host or the command at a random moment, again and again. `VISE_KILLS=200` for the long run.
const kills = Number(process.env['VISE_KILLS'] ?? 9);
/** A host may have one read in its hands when it dies, between the read and the write that follows at once: its buffer at most, with the lines at both ends. */
const inHandBytes = 64 * 1024 + 64;
const linux = process.platform === 'linux';

/** Counts aloud and says in a file, after each line, how far it has come; a child that left the session counts on in silence. */
const command = `setsid sleep 1000 & i=0; while :; do i=$((i+1)); echo "line $i"; echo $i >>"$WITNESS"; done`;

type Victim = 'engine' | 'host' | 'task';

interface Killed {
  readonly task: Task;
  /** The last line that the command had written before the kill. */
  readonly written: number;
  readonly log: string;
}

const lastLine = (path: string): number => {
  try {
    return Number(readFileSync(path, 'latin1').split('\n').at(-2) ?? 0);
  } catch {
    return 0; // not one yet
  }
};

const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]);

/** Whether the host has set a keeper beside its command, which it does as soon as the command is not a short one. */
const isKept = (host: number): boolean =>
  readFileSync(`/proc/${host}/task/${host}/children`, 'latin1')
    .trim()
    .split(' ')
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0vise-keeper\0');
      } catch {
        return false; // gone in the meantime
      }
    });

/** Waits until the command has come a random way. */
const random = async (witness: string): Promise<void> => {
  const lines = 1 + Math.floor(Math.random() * 3_000);
  await until(() => lastLine(witness) >= lines);
};

const left = async ({ id, pid }: Task): Promise<readonly number[]> =>
  (await findProcesses([{ task: id, leader: pid ?? -1 }])).get(id) ?? [];

/** In this process: the host or the command is killed, and this engine says what became of the task. */
const killBelow = async (one: TestExecutor, victim: 'host' | 'task'): Promise<Killed> => {
  const witness = join(one.folder, 'witness');
  const { id } = await one.background(command, { env: { WITNESS: witness } });
  await until(() => one.executor.get(id)?.pid !== undefined);
  const pidOfTask = one.executor.get(id)?.pid ?? 0;
  if (victim === 'host') await until(() => isKept(parentOf(pidOfTask)));
  await random(witness);
  const pid = one.executor.get(id)?.pid ?? 0;
  const written = lastLine(witness);
  process.kill(victim === 'host' ? parentOf(pid) : pid, 'SIGKILL');
  const task = await one.ended(id);
  if (victim === 'task') {
    // A child that had not come to leave its session when its terminal was hung up has ended with it: then none is named.
    const named = (): boolean => (one.executor.get(id)?.survivors ?? []).length > 0;
    await until(async () => named() || (await left(task)).length === 0);
    await one.executor.endSurvivors(id);
  }
  await until(async () => (await left(task)).length === 0);
  const log = readFileSync(task.logPath ?? '', 'latin1');
  one.executor.remove(id);
  rmSync(witness);
  return { task, written, log };
};

/** An engine in a process of its own is killed; another one says what became of its task. */
const killEngine = async (): Promise<Killed> => {
  const program = `
    const { testExecutor, until } = await import(${JSON.stringify(join(import.meta.dirname, 'testing/testExecutor.ts'))});
    const one = testExecutor();
    const { id } = await one.background(${JSON.stringify(command)}, { env: { WITNESS: one.folder + '/witness' } });
    await until(() => one.executor.get(id)?.pid !== undefined);
    console.log(JSON.stringify({ folder: one.folder, task: one.executor.get(id) }));
  `;
  const engine: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (engine.stdout === null) throw new Error('It was started with a pipe.');
  const [line] = (await once(engine.stdout, 'data')) as [Buffer];
  const { folder, task } = JSON.parse(line.toString()) as { folder: string; task: Task };
  const witness = join(folder, 'witness');
  await random(witness);
  const written = lastLine(witness);
  engine.kill('SIGKILL');
  await until(async () => (await left(task)).length === 0);
  const next = testExecutor({ folder });
  try {
    await next.executor.recover([{ owner: 'test', task }]);
    const found = next.executor.get(task.id);
    if (found === undefined) throw new Error('The task is not known any more.');
    return { task: found, written, log: readFileSync(found.logPath ?? '', 'latin1') };
  } finally {
    await next.close();
  }
};

/** Bytes of the numbered lines up to `written` that are not in the log. */
const missingBytes = ({ log, written }: Killed): number => {
  const there = new Set(log.split(/\r?\n/));
  let missing = 0;
  for (let i = 1; i <= written; i += 1) if (!there.has(`line ${i}`)) missing += `line ${i}\n`.length;
  return missing;
};

test.skipIf(!linux)(
  `N1: after random kills no process is left, nothing that was written is lost, and every task has ended${
    linux ? '' : ' (skipped but on Linux: it reads /proc)'
  }`,
  async () => {
    const one = testExecutor();
    const expected: Readonly<Record<Victim, string>> = { engine: 'lost', host: 'lost', task: 'completed' };
    const lost: Record<Victim, number[]> = { engine: [], host: [], task: [] };
    const lines: Record<Victim, number> = { engine: 0, host: 0, task: 0 };
    try {
      for (let i = 0; i < kills; i += 1) {
        const victim = (['engine', 'host', 'task'] as const)[i % 3] ?? 'task';
        const killed = victim === 'engine' ? await killEngine() : await killBelow(one, victim);
        expect([victim, killed.task.state, isFinal(killed.task)]).toEqual([victim, expected[victim], true]);
        lines[victim] += killed.written;
        const missing = missingBytes(killed);
        if (missing > 0) lost[victim].push(missing);
      }
    } finally {
      await one.close();
    }
    if (kills > 9) console.log(JSON.stringify({ kills, lines, lost }));
    expect([lost.engine, lost.task, lost.host.filter((bytes) => bytes > inHandBytes)]).toEqual([[], [], []]);
  },
  60_000 + kills * 20_000,
);
