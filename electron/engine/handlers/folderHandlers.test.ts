import { symlinkSync } from 'node:fs';
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
