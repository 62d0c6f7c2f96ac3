import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../processTree.ts';
import { until } from '../testing/testExecutor.ts';
import { Copier, canCopy } from './copier.ts';
import type { CopierEnd } from './copierChannel.ts';
import { Inherited } from './inherited.ts';
import { loadNodePty } from './nodePty.ts';
import type { StreamName } from './outputStore.ts';
import { segmentPath } from './segments.ts';
import { type Terminal, TerminalPool } from './terminalPool.ts';

const linux = process.platform === 'linux';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-copier-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A pair of terminals with a copier, as a host has them. */
function copied(prepare = false): { out: Terminal; err: Terminal; copier: Copier; copies: string } {
  const { native } = loadNodePty();
  if (native === null) throw new Error('There are no pseudo-terminals here.');
  const inherited = new Inherited();
  const pool = new TerminalPool(native, [80, 24], inherited, undefined);
  const [out, err] = [pool.open(), pool.open()];
  const copies = join(folder, 'with blanks');
  const copier = new Copier(copies, [out, err], prepare, (from) => inherited.mask(from));
  return { out, err, copier, copies };
}

const read = (copies: string, stream: StreamName, segment = 0): string => {
  const path = segmentPath(copies, stream, segment);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** Ends the copier, and waits for that. */
const end = async (copier: Copier, ...terminals: readonly Terminal[]): Promise<void> => {
  copier.close();
  for (const { master } of terminals) closeSync(master);
  await until(() => copier.pid === undefined || !isRunning(copier.pid));
};

describe.skipIf(!linux)(`a copier${linux ? '' : ' (skipped but on Linux: it reads /proc)'}`, () => {
  test('writes each stream into a file, and says that it is over when nobody holds the terminal', async () => {
    const { out, err, copier, copies } = copied();
    const ends: Record<string, CopierEnd> = {};
    for (const stream of ['stdout', 'stderr'] as const)
      copier.onEnd(stream, (end) => {
        ends[stream] = end;
      });
    writeSync(out.slave, 'printed');
    writeSync(err.slave, 'warned');
    closeSync(err.slave);
    await until(() => ends['stderr'] !== undefined);
    expect([ends, copier.works]).toEqual([{ stderr: { how: 'over' } }, false]);
    closeSync(out.slave);
    await until(() => ends['stdout'] !== undefined);
    expect([ends, read(copies, 'stdout'), read(copies, 'stderr')]).toEqual([
      { stdout: { how: 'over' }, stderr: { how: 'over' } },
      'printed',
      'warned',
    ]);
    await end(copier, out, err);
  });

  test('turns the conversion of line ends off for stdout when it is to', async () => {
    const { out, err, copier, copies } = copied(true);
    expect(await copier.raw).toBe(true);
    writeSync(out.slave, 'a\nb\n');
    writeSync(err.slave, 'a\nb\n');
    await until(() => read(copies, 'stdout').length >= 4 && read(copies, 'stderr').length >= 6);
    expect([read(copies, 'stdout'), read(copies, 'stderr')]).toEqual(['a\nb\n', 'a\r\nb\r\n']);
    for (const { slave } of [out, err]) closeSync(slave);
    await end(copier, out, err);
  });

  test('says that it is full after so many reads, and goes on in the next segment when it is told to', async () => {
    const { out, err, copier, copies } = copied();
    let full: CopierEnd | undefined;
    copier.onEnd('stdout', (end) => {
      full = end;
    });
    const size = (): number => read(copies, 'stdout').length;
    let printed = '';
    // One read may take what several writes brought: it is written until it says so.
    for (let i = 0; full === undefined; i += 1) {
      const line = `${i},`;
      writeSync(out.slave, line);
      printed += line;
      while (full === undefined && size() < printed.length) await setImmediate();
    }
    const rest = printed.slice(size());
    expect([full, copier.begin('stdout', 1)]).toEqual([{ how: 'full' }, true]);
    writeSync(out.slave, 'end');
    await until(() => read(copies, 'stdout', 1) === `${rest}end`);
    for (const { slave } of [out, err]) closeSync(slave);
    await end(copier, out, err);
  });

  test('that was ended by somebody is noticed, and what it copies no more is told', async () => {
    const { out, err, copier } = copied();
    await until(() => copier.works && childrenOf(copier.pid).length === 2);
    let told: CopierEnd | undefined;
    copier.onEnd('stdout', (how) => {
      told = how;
    });
    for (const pid of childrenOf(copier.pid)) process.kill(pid, 'SIGKILL');
    await until(() => {
      copier.look('stdout');
      return told !== undefined;
    });
    expect([told?.how, typeof told?.fault, copier.works]).toEqual(['failed', 'string', false]);
    for (const { slave } of [out, err]) closeSync(slave);
    await end(copier, out, err);
  });

  test.each([
    ['copies what is printed after its host was killed, and goes when nobody holds the terminals', 'exec sleep 0.2'],
    ['gives the terminals up when somebody goes on holding them', 'exec sleep 1000'],
  ])('%s', async (_what, then) => {
    const copies = join(folder, 'task');
    const program = `
      const { spawn } = await import('node:child_process');
      const at = ${JSON.stringify(import.meta.dirname)};
      const { Copier } = await import(at + '/copier.ts');
      const { Inherited } = await import(at + '/inherited.ts');
      const { TerminalPool } = await import(at + '/terminalPool.ts');
      const { loadNodePty } = await import(at + '/nodePty.ts');
      const inherited = new Inherited();
      const pool = new TerminalPool(loadNodePty().native, [80, 24], inherited, undefined);
      const [out, err] = [pool.open(), pool.open()];
      const copier = new Copier(${JSON.stringify(copies)}, [out, err], true, (from) => inherited.mask(from), 1);
      await copier.raw;
      const command = spawn('/bin/sh', ['-c', ${JSON.stringify(`echo before; read go <"$0"; echo after; ${then}`)}, ${JSON.stringify(join(folder, 'go'))}], {
        stdio: ['ignore', out.slave, err.slave, ...inherited.mask(3)], detached: true,
      });
      console.log(JSON.stringify([copier.pid, command.pid]));
      setInterval(() => undefined, 1000);
    `;
    await once(spawn('mkfifo', [join(folder, 'go')]), 'close');
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const [copier, command] = JSON.parse(line.toString()) as [number, number];
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    await once(spawn('/bin/sh', ['-c', 'echo go >"$0"', join(folder, 'go')]), 'close');
    await until(() => !isRunning(copier));
    try {
      process.kill(command, 'SIGKILL');
    } catch {
      // gone by itself
    }
    rmSync(join(folder, 'go'));
    expect([
      readFileSync(`${copies}.out.0`, 'utf8'),
      readdirSync(folder).filter((name) => name.endsWith('.out.0')),
    ]).toEqual(['before\nafter\n', ['task.out.0']]);
  });
});

const childrenOf = (pid: number | undefined): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

test('needs a shell and a few programs, or nothing is copied', () => {
  expect([canCopy({ PATH: folder }), canCopy({})]).toEqual([false, false]);
  if (linux) expect(canCopy(process.env)).toBe(true);
});
