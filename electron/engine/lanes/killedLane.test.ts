import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { laneBench, valueOf } from '../testing/laneBench.ts';
import { testFolder, writeFiles } from '../workspace/testing/testFolder.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A `git` that kills the process which started it when it is called for the n-th time: before it works, or after. */
function killingGit(at: number, when: 'before' | 'after'): string {
  const bin = testFolder({});
  const real = process.env['PATH'] ?? '';
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
n=$(cat ${bin}/count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${bin}/count
PATH='${real}'; export PATH
[ $n = ${at} ] && [ ${when} = before ] && kill -9 $PPID && exit 1
git "$@"; code=$?
[ $n = ${at} ] && kill -9 $PPID
exit $code
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return bin;
}

/** Runs `vise lane` in a process of its own; true where it was killed. */
function laneCommand(bin: string, home: string, project: string, ...words: readonly string[]): Promise<boolean> {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, VISE_HOME: home };
  const cli = join(root, 'out', 'cli.js');
  const child = spawn(process.execPath, [cli, 'lane', ...words, '--project', project], { env, stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')));
}

test.skipIf(process.platform === 'win32')(
  'a kill at any step of making and closing a lane loses nothing: it is whole or gone when lanes are next looked at (POSIX only: a sh git)',
  async () => {
    const seen = new Set<string>();
    for (const words of [
      ['new', 'idea', '--carry'],
      ['close', 'idea'],
    ])
      for (const when of ['before', 'after'] as const)
        for (let at = 1; ; at += 1) {
          const bench = laneBench({ 'a.txt': 'one\n' });
          const { client, project, home, git } = bench;
          writeFiles(project, { 'mine.txt': 'mine\n' });
          if (words[0] === 'close') valueOf(await client.call('lane.create', { project, name: 'idea', carry: true }));
          await bench.engine.close();
          const wasKilled = await laneCommand(killingGit(at, when), home, project, ...words);
          const next = await bench.restart();
          const { lanes, told } = valueOf(await next.client.call('lane.list', { project }));
          const refs = git('for-each-ref', '--format=%(refname)').split('\n');
          const [lane] = lanes;
          if (lane) {
            // Whole: the branch, the files, what was carried, and a session.
            expect(lane).toMatchObject({ name: 'idea', state: 'open', files: 0 });
            expect(readFileSync(join(lane.folder, 'mine.txt'), 'utf8')).toBe('mine\n');
            expect(next.engine.sessions.list().some(({ project: folder }) => folder === lane.folder)).toBe(true);
            expect(refs).toEqual(['refs/heads/trunk', 'refs/heads/vise/idea', 'refs/vise/lanes/idea']);
          } else {
            expect(refs).toEqual(['refs/heads/trunk']);
            expect(git('worktree', 'list').split('\n')).toHaveLength(1);
            const lanesFolder = join(home, 'state', 'lanes');
            const left = existsSync(lanesFolder) ? readdirSync(lanesFolder, { recursive: true }).map(String) : [];
            expect(left.filter((name) => name.endsWith('idea') || name.endsWith('.json'))).toEqual([]);
          }
          expect(git('status', '--porcelain')).toBe('?? mine.txt');
          for (const words of told) seen.add(words);
          await next.engine.close();
          if (!wasKilled) break;
        }
    expect([...seen]).toEqual(
      expect.arrayContaining([expect.stringContaining('taken back'), expect.stringContaining('closed now')]),
    );
  },
  300_000,
);
