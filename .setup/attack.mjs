// The standing attacks, many at once: npm run attack [-- --seed N --count N --case N]. On Linux in a namespace of its own, where nothing
// but temporary folders can be written; elsewhere in temporary folders alone, as in `npm test`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    count: { type: 'string', default: '1000' },
    case: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
const env = {
  ...process.env,
  VISE_ATTACKS: values.count,
  VISE_ATTACK_SEED: values.seed,
  ...(values.case === undefined ? {} : { VISE_ATTACK_CASE: values.case }),
};
const command = [
  process.execPath,
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--root',
  root,
  'electron/attack.test.ts',
];

/** Everything read-only but for temporary folders and the cache of the test runner; no network but loopback. */
function inNamespace() {
  const bwrap = ['/usr/bin/bwrap', '/bin/bwrap'].find((file) => existsSync(file));
  if (process.platform !== 'linux' || bwrap === undefined) return undefined;
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const start = [
    bwrap,
    '--die-with-parent',
    '--unshare-user',
    '--unshare-pid',
    '--unshare-net',
    ...mounts,
    '--setenv',
    'TMPDIR',
    '/tmp',
  ];
  // A project that lies in a temporary folder itself is shown again.
  if (root.startsWith(`${tmpdir()}/`)) start.push('--ro-bind', root, root);
  // Where the test runner writes for itself.
  for (const name of ['.vite', '.vite-temp', '.vitest-cache']) {
    const cache = join(root, 'node_modules', name);
    mkdirSync(cache, { recursive: true });
    start.push('--tmpfs', cache);
  }
  return spawnSync(bwrap, [...start.slice(1), '--', 'true']).status === 0
    ? [...start, '--chdir', root, '--']
    : undefined;
}

const namespace = inNamespace();
console.log(`${values.count} attacks, seed ${values.seed}${namespace ? ', in a namespace' : ''}`);
const [file = process.execPath, ...words] = [...(namespace ?? []), ...command];
process.exit(spawnSync(file, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1);
