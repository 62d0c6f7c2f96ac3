import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testBench } from '../testing/engineForTest.ts';

test('file.locate names only files inside the project, from a folder of it', async () => {
  const { client, project } = testBench({ 'src/a.ts': '', 'README.md': '' });
  await client.call('project.open', { path: project });
  symlinkSync('/etc/hostname', join(project, 'src', 'out'));
  const paths = [
    'a.ts',
    '../README.md',
    join(project, 'src/a.ts'),
    'b.ts',
    '.',
    '../../secret',
    '/etc/hostname',
    'out',
  ];
  const found = await client.call('file.locate', { project, from: join(project, 'src'), paths });
  expect(found).toEqual({
    ok: true,
    value: { found: ['src/a.ts', 'README.md', 'src/a.ts', null, null, null, null, null] },
  });
});

test('file.marks tells what git says of files and of the folders above them; nothing outside a repository', async () => {
  const { client, project } = testBench({ 'src/deep/a.ts': 'one\n', 'src/b.ts': '', 'c.ts': '' });
  const marks = () => client.call('file.marks', { project });
  await client.call('project.open', { path: project });
  expect(await marks()).toEqual({ ok: true, value: { marks: {} } });
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', project, ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first');
  expect(await marks()).toEqual({ ok: true, value: { marks: {} } });
  writeFileSync(join(project, 'src/deep/a.ts'), 'two\n');
  writeFileSync(join(project, 'src/new.ts'), '');
  expect(await marks()).toEqual({
    ok: true,
    value: {
      marks: { 'src/deep/a.ts': 'modified', 'src/deep': 'modified', src: 'modified', 'src/new.ts': 'untracked' },
    },
  });
});
