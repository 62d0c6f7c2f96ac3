import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

/** A namespace in which no more processes than these can be, and nothing of which outlives its end (Linux 6.14 and newer). */
const inNamespace = ['--fork', '--pid', '--mount', '--mount-proc', '--kill-child', 'sh', '-c'];
/** A shell stays in front and reaps what the bomb leaves. */
const limited = 'echo 400 > /proc/sys/kernel/pid_max && "$@"; exit';
const works =
  process.platform === 'linux' && spawnSync('unshare', [...inNamespace, limited, 'sh', 'true']).status === 0;

/** Runs a part of `testing/exhausted.ts` in a namespace of its own; what it tells as JSON. */
async function within(part: string, place: string, prepare = ''): Promise<unknown> {
  const script = join(import.meta.dirname, 'testing/exhausted.ts');
  const words = [...inNamespace, `${prepare}${limited}`, 'sh', process.execPath, script, part, place];
  const child = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return JSON.parse(Buffer.concat(chunks).toString());
}

function scratch(): string {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'vise-exhausted-')));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

describe.skipIf(!works)(
  `what takes everything${works ? '' : ' (skipped without a namespace with a limit of processes)'}`,
  () => {
    test.each(['bomb', 'sandboxedBomb'])(
      'C7 J5: a fork bomb (%s) ends when it is stopped, nothing of it is left, and the next command runs',
      async (part) => {
        expect(await within(part, scratch())).toEqual({ state: 'cancelled', next: 'alive\n', left: 0 });
      },
    );

    test('J5: a command with more processes than the limit is ended by itself, and told', async () => {
      expect(await within('watchedBomb', scratch())).toEqual({
        state: 'failed',
        error: 'It was ended: it had more than 150 processes at once.',
        next: 'alive\n',
        left: 0,
      });
    });

    test('N2: a full disk under a running command costs output at most; what it was is told, and the next command runs', async () => {
      const place = scratch();
      const disk = join(place, 'disk');
      mkdirSync(disk);
      const told = await within('fullDisk', disk, `mount -t tmpfs -o size=3m tmpfs ${disk} && `);
      expect(told).toEqual({ state: 'completed', full: true, next: 'alive\n', left: 0 });
      expect(existsSync(join(disk, 'own'))).toBe(false);
    });
  },
);
