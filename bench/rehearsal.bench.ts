import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../electron/engine/base/clock.ts';
import { createExecutor } from '../electron/engine/exec/createExecutor.ts';
import type { CommandRequest } from '../electron/engine/exec/executor.ts';
import { shadowWay } from '../electron/engine/exec/sandbox/shadow.ts';
import { createKnownRuns, rehearse } from '../electron/engine/rehearsal/rehearse.ts';
import { silentLog } from '../electron/engine/testing/silentLog.ts';
import type { TaskPort } from '../electron/engine/tools/shell/taskPort.ts';
import { createLook } from '../electron/engine/workspace/look.ts';
import type { ProposedChange } from '../electron/engine/workspace/proposedChange.ts';
import { createSandbox } from '../electron/engine/workspace/sandbox.ts';
import { defaultSettings } from '../shared/model/settings.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// A proposal that breaks the types of a project of 2,000 files, tried: the copy, the type check on it and what is new, against
// the same check run plainly in the project. What is there without the proposal is known by then. Target: 1.2 × the plain run.

const files = isSmoke ? 50 : 2_000;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
const project = join(folder, 'project');
const command = 'node node_modules/typescript/bin/tsc --noEmit -p .';

/** A module that uses its neighbour, some sixty lines long. */
function moduleText(at: number): string {
  const functions = Array.from(
    { length: 10 },
    (_, n) => `export function f${n}(items: readonly Item[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { name, count } of items) sums.set(name, (sums.get(name) ?? 0) + count * ${n});
  return Object.fromEntries([...sums].map(([key, value]) => [key.toUpperCase(), value]));
}`,
  );
  const near = at === 0 ? '' : `import { f0 as near } from './m${at - 1}.ts';\nexport const used = near([]);\n`;
  return `${near}export interface Item { readonly name: string; readonly count: number }\n${functions.join('\n')}\n`;
}

try {
  mkdirSync(join(project, 'src'), { recursive: true });
  // Of its own, as an install brings them.
  for (const name of ['typescript', '@typescript'])
    cpSync(join(import.meta.dirname, '..', 'node_modules', name), join(project, 'node_modules', name), {
      recursive: true,
    });
  const options = { strict: true, noEmit: true, target: 'es2023', module: 'esnext', moduleResolution: 'bundler' };
  const compilerOptions = { ...options, allowImportingTsExtensions: true, types: [] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  for (let at = 0; at < files; at += 1) writeFileSync(join(project, 'src', `m${at}.ts`), moduleText(at));
  const sandbox = await createSandbox({ roots: [project] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const shell = { ...defaultSettings.shell, autoBackgroundThresholdSeconds: 0 };
  const executor = createExecutor({
    settings: () => ({ ...defaultSettings, shell }),
    clock: systemClock,
    log: silentLog,
    workspace: project,
    taskFolder: join(folder, 'tasks'),
    socketFolder: join(folder, 'sockets'),
    hostEntry: join(import.meta.dirname, '..', 'out', 'ptyHost.js'),
    environment: { PATH: process.env['PATH'], HOME: folder },
  });
  const run = (request: CommandRequest) => executor.run(request, { owner: 'bench' });
  const { signal } = new AbortController();
  const before = await look.readText('src/m7.ts');
  if (!before.ok) throw new Error(before.error.message);
  const text = before.value.text.replace('* 3);', "* 'three');");
  const change: ProposedChange = {
    path: 'src/m7.ts',
    status: 'modified',
    before: before.value,
    after: { text, like: before.value },
  };
  const outcome = {
    path: change.path,
    verdict: 'applied',
    kept: [0],
    rejected: [],
    edited: false,
    comments: [],
  } as const;
  const known = createKnownRuns();
  const ours = async (): Promise<number> => {
    const started = performance.now();
    const done = await rehearse({
      look,
      tasks: executor as unknown as TaskPort, // the same methods, answered at once
      run,
      maxSeconds: 300,
      signal,
      judged: [{ call: 'c', shown: change, change, outcome }],
      checks: [{ name: 'types', command }],
      folder: join(folder, 'rehearsals'),
      way: shadowWay(),
      known,
    });
    if (!done.ok || done.value.findings.length !== 1) throw new Error(`Not the one finding: ${JSON.stringify(done)}`);
    return performance.now() - started;
  };
  const reference = async (): Promise<number> => {
    const started = performance.now();
    const done = await run({ command, cwd: project, terminal: 'output' });
    if (!done.ok || done.value.task.exitCode !== 0)
      throw new Error(`The plain run fails: ${JSON.stringify(done).slice(0, 800)}`);
    return performance.now() - started;
  };
  await ours(); // from here on it is known what the project has without the proposal
  const times = await byTurns(isSmoke ? 1 : 3, { ours, reference });
  report(compare('rehearsal', 'ms', times));
  await executor.dispose(false);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
