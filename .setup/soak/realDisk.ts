import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Round, RoundOf } from './kills.ts';
import { limitMs, runCommand } from './runProgram.ts';

// A disk of its own that is really full or read-only: a small tmpfs in a mount namespace, which nobody else sees and which goes
// with its last process. `worstDisk.ts` runs inside.

const driver = join(import.meta.dirname, 'worstDisk.ts');
const sizeBytes = 24 * 1024 * 1024;
const words = process.getuid?.() === 0 ? ['--mount'] : ['--map-root-user', '--mount'];

/** Why there is no such disk here: not Linux, or neither root nor user namespaces. */
export const noNamespace: string | undefined =
  process.platform !== 'linux'
    ? 'mount namespaces are only on Linux'
    : spawnSync('unshare', [...words, 'true']).status === 0
      ? undefined
      : 'this system lets this user have no mount namespace (unshare --mount)';

const onOwnDisk =
  (kind: 'full' | 'readOnly', host: 'exec' | 'serve'): RoundOf =>
  async (random) => {
    if (noNamespace !== undefined) return { hits: 0, lost: [], skipped: noNamespace };
    const place = mkdtempSync(join(tmpdir(), 'vise-disk-'));
    try {
      const mount = `mount -t tmpfs -o size=${sizeBytes},mode=700 tmpfs "$1" && TMPDIR=$1 && export TMPDIR && shift && exec "$@"`;
      const facts = String(1 + Math.floor(random() * 40));
      const program = [process.execPath, '--no-warnings', driver, kind, host, facts];
      return await driven('unshare', [...words, 'sh', '-c', mount, 'sh', place, ...program]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };

async function driven(program: string, args: readonly string[]): Promise<Round> {
  let printed = '';
  const hear = (_child: unknown, text = ''): void => {
    printed += text;
  };
  const ended = await runCommand(program, args, process.env, tmpdir(), hear, 3 * limitMs);
  try {
    return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Round; // the driver's own last line
  } catch {
    return { hits: 0, lost: [`the round failed: ${ended.code ?? ended.signal}: ${ended.problems}`] };
  }
}

/** Under `vise serve`; `fewDescriptors` of the other faults is the same of `vise exec`. */
const fewDescriptorsServe: RoundOf = async () => {
  if (process.platform === 'win32') return { hits: 0, lost: [], skipped: 'Windows has no such limit' };
  const program = [process.execPath, '--no-warnings', driver, 'descriptors', 'serve', '1'];
  return driven('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...program]);
};

export const realDisk = {
  realFullExec: onOwnDisk('full', 'exec'),
  realFullServe: onOwnDisk('full', 'serve'),
  realReadOnlyExec: onOwnDisk('readOnly', 'exec'),
  realReadOnlyServe: onOwnDisk('readOnly', 'serve'),
  fewDescriptorsServe,
};
