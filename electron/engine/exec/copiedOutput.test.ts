import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lendTestExecutors } from './testing/lendTestExecutors.ts';
import { type TestExecutor, until } from './testing/testExecutor.ts';

const make = lendTestExecutors();
const linux = process.platform === 'linux';
const onLinux = linux ? '' : ' (skipped but on Linux: it reads /proc)';

const hostOf = async (one: TestExecutor): Promise<number> => Number((await one.run('echo $PPID')).output.stdout);

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);

/** The processes that copy the terminals of this task. */
const copiersOf = (one: TestExecutor, host: number, id: string): readonly number[] => {
  const [, task = ''] = readFileSync(join(one.folder, 'tasks', `${id}.unread`), 'latin1').split('\n');
  const { keeper } = JSON.parse(task) as { keeper: number };
  return childrenOf(host).includes(keeper) ? childrenOf(keeper) : [];
};

const left = (one: TestExecutor): readonly string[] =>
  readdirSync(join(one.folder, 'tasks')).filter((name) => name.includes('unread'));

describe('copied terminals', () => {
  test('leave nothing but the files of the task', async () => {
    const one = make();
    const { task } = await one.run('echo out; echo err >&2');
    const names = (): readonly string[] =>
      readdirSync(join(one.folder, 'tasks')).filter((name) => name.startsWith(task.id));
    expect(names().toSorted()).toEqual([`${task.id}.err`, `${task.id}.log`, `${task.id}.out`]);
    const folders = left(one);
    await one.close();
    expect([folders.length, existsSync(one.folder)]).toEqual([1, false]);
  });

  test('lose nothing, and keep to the order, through several segments', async () => {
    const one = make();
    const { task } = await one.run('seq 1 2500000');
    const log = readFileSync(task.logPath ?? '', 'latin1');
    let expected = '';
    for (let i = 1; i <= 2_500_000; i += 1) expected += `${i}\n`;
    expect([log.length, log === expected]).toEqual([expected.length, true]);
  });

  test('hold up no other command when one does not read what is typed', async () => {
    const one = make();
    const { id } = await one.background('stty raw; echo up; sleep 100');
    await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
    for (let i = 0; i < 8; i += 1) one.executor.input(id, 'x'.repeat(64 * 1024));
    expect((await one.run('echo other')).output.stdout).toBe('other\n');
    await one.executor.cancel(id);
  });

  test.skipIf(!linux)(
    `are read by the host itself when their copier is ended, and the task says so${onLinux}`,
    async () => {
      const one = make();
      const host = await hostOf(one);
      const { id } = await one.background('echo one; read go; echo two');
      await until(() => (one.executor.get(id)?.outputBytes ?? 0) > 0);
      const copiers = copiersOf(one, host, id);
      for (const pid of copiers) process.kill(pid, 'SIGKILL');
      one.executor.input(id, '\r');
      const task = await one.ended(id);
      expect([copiers.length, task.state, task.error]).toEqual([
        2,
        'completed',
        'The log is incomplete: the process that copied it was ended',
      ]);
      expect(await one.executor.result(id)).toMatchObject({ ok: true, value: { stdout: 'one\n\ntwo\n' } });
    },
  );

  test.skipIf(!linux)(
    `go on being saved after the end of the command, when its host is killed while a child prints${onLinux}`,
    async () => {
      const one = make();
      const host = await hostOf(one);
      const { task } = await one.run('(while ! [ -e go ]; do sleep 0.02; done; echo late) & echo done');
      process.kill(host, 'SIGKILL');
      writeFileSync(join(one.workspace, 'go'), '');
      await until(() => readFileSync(task.logPath ?? '', 'utf8') === 'done\nlate\n' && left(one).length === 0);
      expect(one.executor.get(task.id)?.state).toBe('completed');
    },
  );
});

test('without the programs that copy, the host reads the terminals itself', async () => {
  const one = make();
  const bin = join(one.folder, 'bin');
  mkdirSync(bin);
  for (const name of ['sh', 'seq']) {
    const places = ['/bin', '/usr/bin'].map((place) => join(place, name));
    symlinkSync(places.find((place) => existsSync(place)) ?? '', join(bin, name));
  }
  const bare = make({ environment: { PATH: bin } });
  const { output, task } = await bare.run('seq 1 20000; echo err >&2');
  const expected = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join('');
  expect([task.state, output.stdout === expected.slice(0, output.stdout.length), output.stderr]).toEqual([
    'completed',
    false,
    'err\n',
  ]);
  expect([readFileSync(task.logPath ?? '', 'latin1').length, left(bare)]).toEqual([expected.length + 4, []]);
});
