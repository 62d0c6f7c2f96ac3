import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../electron/engine/base/clock.ts';
import { findPlaces } from '../electron/engine/base/places.ts';
import { createSecrets } from '../electron/engine/base/secrets.ts';
import { connectClient } from '../electron/engine/bridge/mcp/testing/connectClient.ts';
import { createEngine } from '../electron/engine/engine.ts';
import { createMcpPort } from '../electron/engine/openSession/mcpPort.ts';
import { silentLog } from '../electron/engine/testing/silentLog.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// What a call of read_file costs an MCP client over the protocol, against the same call of the engine in process.
// Target: at most 2 ms more.

const calls = isSmoke ? 2 : 50;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
const env = { VISE_HOME: join(folder, 'home'), PATH: process.env['PATH'] };
const places = findPlaces(env);
writeFileSync(join(folder, 'a.txt'), 'hello\n'.repeat(100));

const version = '0.0.0';
const engine = createEngine({
  version,
  places,
  resources: join(folder, 'none'),
  clock: systemClock,
  log: silentLog,
  env,
  platform: process.platform,
  secrets: createSecrets(places.config),
  ptyHost: '',
  interactive: false,
  allow: 'none',
  provider: {},
});
const signal = new AbortController().signal;
const input = { filePath: 'a.txt' };

const project = await engine.project(folder);
if (!project.ok) throw new Error(project.error.message);
const { client, close } = await connectClient(createMcpPort(engine, project.value, version));
try {
  const series = await byTurns(20, {
    async ours() {
      const started = performance.now();
      for (let at = 0; at < calls; at += 1) {
        const answer = await client.callTool({ name: 'read_file', arguments: input });
        if (answer.isError) throw new Error(JSON.stringify(answer.content));
      }
      return (performance.now() - started) / calls;
    },
    async reference() {
      const started = performance.now();
      for (let at = 0; at < calls; at += 1) {
        const answer = await engine.callTool(folder, 'read_file', input, signal);
        if (!answer.success) throw new Error(answer.error.message);
      }
      return (performance.now() - started) / calls;
    },
  });
  report(compare('mcpCall', 'ms', series));
} finally {
  await close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}
