import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../processTree.ts';
import { until } from '../testing/testExecutor.ts';
import { Keeper } from './keeper.ts';
import { loadNodePty } from './nodePty.ts';

const { native } = loadNodePty();
const linux = process.platform === 'linux';

describe.skipIf(!linux)(`what keeps terminals open${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vise-keeper-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('brings what was not read to the files when its host is killed', async () => {
    const base = join(folder, 'task with blanks');
    const program = `
      const { writeSync } = await import('node:fs');
      const { loadNodePty } = await import(${JSON.stringify(join(import.meta.dirname, 'nodePty.ts'))});
      const { Keeper } = await import(${JSON.stringify(join(import.meta.dirname, 'keeper.ts'))});
      const [out, err] = [0, 1].map(() => loadNodePty().native.open(80, 24));
      const keeper = new Keeper(${JSON.stringify(base)}, out.master, err.master, () => []);
      writeSync(out.slave, 'printed '.repeat(450));
      writeSync(err.slave, 'warned');
      console.log(keeper.pid);
    `;
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(host.stdout, 'data')) as [Buffer];
    host.kill('SIGKILL');
    await until(() => !isRunning(Number(pid)));
    const read = (suffix: string): string => readFileSync(base + suffix, 'utf8');
    const printed = 'printed '.repeat(450);
    expect([read('.log'), read('.out'), read('.err')]).toEqual([`${printed}warned`, printed, 'warned']);
  });

  test('writes nothing when it is released, and lets the terminals go', async () => {
    if (native === null) throw new Error('There are no pseudo-terminals here.');
    const [out, err] = [native.open(80, 24), native.open(80, 24)];
    const nothing = openSync('/dev/null', 'r+');
    const mask = (from: number): readonly number[] =>
      Array.from({ length: Math.max(0, err.slave + 1 - from) }, () => nothing);
    const keeper = new Keeper(join(folder, 'task'), out.master, err.master, mask);
    writeSync(out.slave, 'printed');
    for (const fd of [out.slave, out.master, err.slave, err.master, nothing]) closeSync(fd);
    keeper.release();
    await until(() => keeper.pid === undefined || !isRunning(keeper.pid));
    expect(readdirSync(folder)).toEqual([]);
    expect(() => openSync(out.pty, 'r')).toThrow();
  });
});
