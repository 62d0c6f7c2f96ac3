import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, connectStoppable } from '../e2e/harness/connect.ts';
import { startServer } from '../e2e/harness/server.ts';
import { until } from '../e2e/harness/until.ts';
import type { Result } from '../shared/result.ts';
import { memoryOf } from './measure/processTree.ts';
import { compare, isSmoke, report } from './measure/report.ts';

// Three windows that follow a session and the console of its shell read nothing more; then the shell prints 80 MB. The
// highest memory of the engine, beside what it had before (target: 200 MB).

const bytes = isSmoke ? 1_000_000 : 80_000_000;
const home = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const project = join(home, 'project');
const size = { columns: 80, rows: 24 };

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

mkdirSync(project);
const server = await startServer({ home, project });
const client = await connect(server.url);
try {
  const { session } = valueOf(await client.call('session.create', { project, mode: 'direct' }));
  const { task } = valueOf(await client.call('task.shell', { session, ...size }));
  const windows = await Promise.all(Array.from({ length: 3 }, () => connectStoppable(server.url)));
  for (const { client: window, hang } of windows) {
    valueOf(await window.call('workbench.watch', {}));
    valueOf(await window.call('session.watch', { session }));
    valueOf(await window.call('task.attach', { session, task, ...size }));
    hang();
  }
  const bare = memoryOf(server.pid, 'VmRSS');
  const line = 'A line of a command that says much and is read by nobody.';
  valueOf(await client.call('task.input', { session, task, data: `yes '${line}' | head -c ${bytes}\n` }));
  const sizeOf = async (): Promise<number> => {
    const log = await client.call('task.log', { session, task, offset: 0, maxBytes: 1 });
    return log.ok ? log.value.sizeBytes : 0;
  };
  await until('all of the output in the log', async () => (await sizeOf()) > bytes, { limitMs: 300_000 });
  const peak = memoryOf(server.pid, 'VmHWM');
  report(compare('stoppedWindows', 'MB', { ours: [peak / 1e6], reference: [bare / 1e6] }));
  for (const { client: window } of windows) window.close();
} finally {
  client.close();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
