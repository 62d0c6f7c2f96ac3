import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTestExecutors } from '../testing/createTestExecutors.ts';
import { until } from '../testing/testExecutor.ts';
import { Inherited } from './inherited.ts';
import { loadNodePty } from './nodePty.ts';
import { TerminalPool } from './terminalPool.ts';

const make = createTestExecutors();

const counted = (count: number): string => {
  let text = '';
  for (let i = 1; i <= count; i += 1) text += `${i}\n`;
  return text;
};

describe('the terminals of a command', () => {
  test('leave nothing but the files of the task', async () => {
    const one = make();
    const { task } = await one.run('echo out; echo err >&2');
    expect(readdirSync(join(one.folder, 'tasks', 'test')).toSorted()).toEqual(
      ['.err', '.log', '.out'].map((suffix) => task.id + suffix),
    );
  });

  test('lose nothing of a flood, and keep its order', async () => {
    const one = make();
    const { task } = await one.run('seq 1 1000000');
    expect(readFileSync(task.logPath ?? '', 'latin1') === counted(1_000_000)).toBe(true);
  });

  test('hold up no other command when one does not read what is typed', async () => {
    const one = make();
    const { id } = await one.background('stty raw; echo up; sleep 100');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    for (let i = 0; i < 8; i += 1) one.executor.input(id, 'x'.repeat(64 * 1024));
    expect((await one.run('echo other')).output.stdout).toBe('other\n');
    await one.executor.cancel(id);
  });

  test('give the line ends of a command as it wrote them, with and without stty', async () => {
    const one = make();
    const bin = join(one.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['sh', 'seq', 'printf']) {
      const places = ['/bin', '/usr/bin'].map((place) => join(place, name));
      symlinkSync(places.find((place) => existsSync(place)) ?? '', join(bin, name));
    }
    const command = 'seq 1 20000; printf "a\\r\\nb\\rc\\n\\r" >&2';
    for (const lab of [one, make({ environment: { PATH: bin } })]) {
      const { task } = await lab.run(command);
      const stdout = readFileSync((task.logPath ?? '').replace(/log$/, 'out'), 'latin1');
      const stderr = readFileSync((task.logPath ?? '').replace(/log$/, 'err'), 'latin1');
      expect([task.state, stdout === counted(20_000), stderr]).toEqual(['completed', true, 'a\r\nb\rc\n\r']);
    }
  });
});

const linux = process.platform === 'linux';
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

test.skipIf(!linux)(
  `the host has no more descriptors after many commands than before${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`,
  async () => {
    const one = make();
    const host = Number((await one.run('echo $PPID')).output.stdout);
    const settled = async (): Promise<number> => {
      // Terminals are made ready when commands rest.
      let before = -1;
      for (let now = descriptorsOf(host); now !== before; now = descriptorsOf(host)) {
        before = now;
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      return before;
    };
    const before = await settled();
    await Promise.all(Array.from({ length: 10 }, (_, at) => one.run(`echo ${at}; echo ${at} >&2`)));
    await Promise.all(['/no/such/program', './project'].map((command) => one.run(command).catch(() => undefined)));
    expect(await settled()).toBeLessThanOrEqual(before);
  },
);

const { native } = loadNodePty();

test.skipIf(native === null || !linux)(
  `a terminal of which only one side can be opened leaves none open${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`,
  () => {
    if (native === null) return;
    const unreachable = {
      ...native,
      open: (...size: [number, number]) => ({ ...native.open(...size), pty: '/no/such' }),
    };
    const pool = new TerminalPool(unreachable, [80, 24], new Inherited());
    const before = descriptorsOf(process.pid);
    expect(() => pool.open()).toThrow('ENOENT');
    expect(descriptorsOf(process.pid)).toBe(before);
  },
);

test.skipIf(native === null)(
  `the pool has terminals without conversion ready, and gives one as it is when none is${
    native === null ? ' (skipped where there are no pseudo-terminals)' : ''
  }`,
  async () => {
    if (native === null) return;
    const pool = new TerminalPool(native, [80, 24], new Inherited());
    const taken = [pool.take()];
    pool.warm();
    const deadline = AbortSignal.timeout(20_000);
    while (taken.at(-1)?.raw !== true) {
      deadline.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
      taken.push(pool.take());
    }
    expect(taken[0]?.raw).toBe(false);
    for (const terminal of taken) pool.discard(terminal);
    pool.close();
  },
);
