import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A round of each host, a fault of each kind; the whole of it is `npm run soak`. */
const kinds = [
  'longRun',
  'engine',
  'exec',
  'ptyHost',
  'page',
  'keptTasks',
  'diskFull',
  'readOnly',
  'slowSync',
  'fewDescriptors',
  'realFullServe',
  'realReadOnlyServe',
  'clockJumps',
  'providerChaos',
];

test('N1 N2 nothing is lost where hosts are killed and disks, clocks and providers fail (the short form of npm run soak)', () => {
  const words = [
    join(import.meta.dirname, 'soak.ts'),
    '--each',
    '1',
    '--only',
    kinds.join(','),
    '--seed',
    '2',
    '--turns',
    '60',
    '--rest',
    '0',
    '--sync',
    '400',
  ];
  const run = spawnSync(process.execPath, ['--no-warnings', ...words], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const figures = JSON.parse(run.stdout) as Readonly<Record<string, { readonly rounds: number } | number>>;
  expect(figures).toMatchObject({ lost: 0, ...Object.fromEntries(kinds.map((kind) => [kind, { rounds: 1 }])) });
});
