import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../processTree.ts';
import { until } from '../testing/testExecutor.ts';
import type { Keeper } from './keeper.ts';
import { loadNodePty } from './nodePty.ts';
import { TerminalPairs } from './terminalPairs.ts';

const { native } = loadNodePty();
const linux = process.platform === 'linux';

describe.skipIf(!linux)(`what keeps terminals open${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  let folder = '';
  let pairs: TerminalPairs;
  beforeEach(() => {
    if (native === null) throw new Error('There are no pseudo-terminals here.');
    folder = mkdtempSync(join(tmpdir(), 'vise-keeper-'));
    const nothing = openSync('/dev/null', 'r+');
    const masters = new Set<number>();
    pairs = new TerminalPairs(native, 80, 24, masters, (from) =>
      Array.from({ length: Math.max(0, Math.max(...masters) + 1 - from) }, () => nothing),
    );
  });
  afterEach(() => {
    pairs.close();
    rmSync(folder, { recursive: true });
  });

  /** A pair to both streams of which something was written, that nobody has read. */
  const written = async (base: string | undefined): Promise<{ keeper: Keeper; letGo: () => void }> => {
    const { out, err, keeper } = await pairs.take();
    if (base !== undefined) keeper.keep(base);
    writeSync(out.slave, 'printed\n'.repeat(1_000));
    writeSync(err.slave, 'warned\n');
    return {
      keeper,
      letGo: () => {
        for (const fd of [out.slave, out.master, err.slave, err.master]) closeSync(fd);
      },
    };
  };
  const gone = async (keeper: Keeper): Promise<void> => {
    await until(() => keeper.pid === undefined || !isRunning(keeper.pid));
  };

  test('brings what was not read to the files when its host is killed', async () => {
    const base = join(folder, 'task with blanks');
    const program = `
      const { writeSync } = await import('node:fs');
      const { loadNodePty } = await import(${JSON.stringify(join(import.meta.dirname, 'nodePty.ts'))});
      const { TerminalPairs } = await import(${JSON.stringify(join(import.meta.dirname, 'terminalPairs.ts'))});
      const { out, err, keeper } = await new TerminalPairs(loadNodePty().native, 80, 24, new Set(), () => []).take();
      keeper.keep(${JSON.stringify(base)});
      writeSync(out.slave, 'printed\\n'.repeat(1_000));
      writeSync(err.slave, 'warned\\n');
      console.log(keeper.pid);
    `;
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(host.stdout, 'data')) as [Buffer];
    host.kill('SIGKILL');
    await until(() => !isRunning(Number(pid)));
    const read = (suffix: string): string => readFileSync(base + suffix, 'utf8');
    const printed = 'printed\n'.repeat(1_000);
    expect([read('.log'), read('.out'), read('.err')]).toEqual([`${printed}warned\n`, printed, 'warned\n']);
  });

  test.each([
    ['released', 'task'],
    ['never given a task', undefined],
  ])('writes nothing when it is %s', async (_what, name) => {
    const { keeper, letGo } = await written(name === undefined ? undefined : join(folder, name));
    keeper.release();
    await gone(keeper);
    letGo();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('lets the terminal of a command go: what is written later is refused', async () => {
    const { out, err, keeper } = await pairs.take();
    keeper.keep(join(folder, 'task'));
    for (const fd of [out.slave, out.master, err.slave, err.master]) closeSync(fd);
    keeper.release();
    await gone(keeper);
    expect(existsSync(out.path)).toBe(false);
    expect(() => openSync(out.path, constants.O_WRONLY | constants.O_NOCTTY)).toThrow();
  });

  test('comes in the order in which it was asked for', async () => {
    const order: number[] = [];
    const taken = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (index) => {
        const pair = await pairs.take();
        order.push(index);
        return pair;
      }),
    );
    for (const { out, err, keeper } of taken) {
      keeper.release();
      for (const fd of [out.slave, out.master, err.slave, err.master]) closeSync(fd);
    }
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
