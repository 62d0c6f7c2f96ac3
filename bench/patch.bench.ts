import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContents } from '../electron/engine/workspace/contents.ts';
import { createFileHands } from '../electron/engine/workspace/hands.ts';
import { createLook } from '../electron/engine/workspace/look.ts';
import { parsePatch } from '../electron/engine/workspace/patch/parsePatch.ts';
import { patchReader, planPatch } from '../electron/engine/workspace/patch/planPatch.ts';
import { createSandbox } from '../electron/engine/workspace/sandbox.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// A patch of 5,000 hunks, in one file and over 50: read, placed and written by the engine against `git apply` from its
// start to its end. Target: 2 × git. Fails when the files are not what git makes of them.

const hunks = isSmoke ? 50 : 5_000;
const linesPerHunk = 12;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
const project = join(folder, 'project');

interface Sample {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly patch: string;
}

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
  // 1 is how `git diff` says that there are differences.
  if (status !== 0 && !(args[0] === 'diff' && status === 1)) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function write(files: Readonly<Record<string, string>>, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(into, name), text);
}

/** Files with as many places to change as there are hunks, each out of reach of the next one's context. */
function sample(files: number): Sample {
  const texts = (isAfter: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Array.from({ length: files }, (_, file) => {
        const lines = Array.from({ length: (hunks / files) * linesPerHunk }, (__, at) =>
          isAfter && at % linesPerHunk === 6 ? `  changed(${at});` : `  call(${file}, ${at});`,
        );
        return [`file${file}.ts`, `${lines.join('\n')}\n`];
      }),
    );
  const before = texts(false);
  const after = texts(true);
  write(before, join(folder, 'sample', 'a'));
  write(after, join(folder, 'sample', 'b'));
  const patch = git(join(folder, 'sample'), 'diff', '--no-index', '--no-prefix', 'a', 'b');
  rmSync(join(folder, 'sample'), { recursive: true });
  const found = patch.match(/^@@/gm)?.length ?? 0;
  if (found !== hunks) throw new Error(`The patch has ${found} hunks.`);
  return { before, after, patch };
}

try {
  mkdirSync(project);
  const sandbox = await createSandbox({ roots: [project] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const contents = createContents({ folder: join(folder, 'contents') });
  const hands = createFileHands({ sandbox: sandbox.value, contents, records: join(folder, 'applies'), session: 's' });

  for (const files of isSmoke ? [1, 5] : [1, 50]) {
    const { before, after, patch } = sample(files);
    const patchFile = join(folder, 'sample.patch');
    writeFileSync(patchFile, patch);
    const timed = async (apply: () => Promise<void>): Promise<number> => {
      write(before, project);
      const started = performance.now();
      await apply();
      const took = performance.now() - started;
      for (const [name, text] of Object.entries(after))
        if (readFileSync(join(project, name), 'utf8') !== text) throw new Error(`${name} is not what it should be.`);
      return took;
    };
    const ours = async (): Promise<void> => {
      const parsed = parsePatch(patch);
      if (!parsed.ok) throw new Error(parsed.error.message);
      const planned = await planPatch(parsed.value, patchReader(look), { inFolder: '' });
      if (!planned.ok) throw new Error(planned.error.message);
      const applied = await hands.applyChanges(planned.value.changes);
      if (!applied.ok) throw new Error(applied.error.message);
    };
    const reference = (): Promise<void> => {
      git(project, 'apply', patchFile);
      return Promise.resolve();
    };
    const series = await byTurns(10, { ours: () => timed(ours), reference: () => timed(reference) });
    report(compare(files === 1 ? 'patchOneFile' : 'patchManyFiles', 'ms', series));
    rmSync(project, { recursive: true });
    mkdirSync(project);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
