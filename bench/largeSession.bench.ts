import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../e2e/harness/connect.ts';
import { startServer } from '../e2e/harness/server.ts';
import { until } from '../e2e/harness/until.ts';
import type { Client } from '../shared/contract/client.ts';
import { memoryOf } from './measure/processTree.ts';
import { compare, isSmoke, report } from './measure/report.ts';

// What the engine takes to open a session of 212 MB and to show it to a window: its highest memory, above an engine without
// it, beside the size of the state as JSON; the first time from the journal, until the snapshot is taken, then from that
// (largeSession…). And the largest frame that the window gets, in MB, beside the whole (largeSessionFrame); until its newest
// part is there, in ms, beside all of it (largeSessionFirst).

const facts = isSmoke ? 2_000 : 196_000;
const session = '20260101-000000-00000000';
const home = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const project = join(home, 'project');
const snapshot = join(home, 'vise', 'state', 'sessions', session, 'snapshot.jsonl');

/** Replies with a call each, its result, the usage; text as the world writes it, not all of it Latin. */
function writeJournal(): void {
  const folder = join(home, 'vise', 'state', 'sessions', session);
  mkdirSync(folder, { recursive: true });
  mkdirSync(project);
  const file = openSync(join(folder, 'journal.jsonl'), 'w');
  const at = '2026-01-01T00:00:00.000Z';
  const intent = {
    risk: 'none',
    effects: ['reads'],
    targets: [{ kind: 'path', path: 'src/a.ts', access: 'read' }],
    summary: 'Read src/a.ts',
    preview: { kind: 'none' },
  };
  const usage = { requests: 1, input: 1_000, output: 20, cached: 900, reasoning: 0 };
  let lines = '{"journal":1}\n';
  let seq = 0;
  const put = (event: object): void => {
    seq += 1;
    lines += `${JSON.stringify({ seq, at, session, event })}\n`;
    if (lines.length < 1_000_000) return;
    writeSync(file, lines);
    lines = '';
  };
  put({ type: 'session.started', id: session, project, title: 'long', mode: 'direct', provider: 'x', model: 'm' });
  put({ type: 'turn.started', turn: 't', text: 'Go.', kind: 'task' });
  for (let call = 0; seq < facts - 5; call += 1) {
    const id = `c${call}`;
    const input = { filePath: 'src/a.ts', offset: call };
    const content = `const a${call} = '${call % 10 === 0 ? 'grün – 日本' : 'green'}';\n`.repeat(140);
    const result = { success: true, data: { filePath: 'src/a.ts', content, startLine: 1, endLine: 140 } };
    put({
      type: 'message',
      turn: 't',
      role: 'assistant',
      text: 'I read on.',
      calls: [{ id, tool: 'read_file', input }],
    });
    put({ type: 'usage', turn: 't', usage });
    put({ type: 'tool.proposed', call: id, turn: 't', tool: 'read_file', level: 'none', input, intent });
    put({ type: 'tool.started', call: id });
    put({ type: 'tool.finished', call: id, tool: 'read_file', result });
  }
  put({ type: 'turn.finished', turn: 't', outcome: 'done', text: 'Done.' });
  writeSync(file, lines);
  closeSync(file);
}

interface Shown {
  readonly stateBytes: number;
  readonly largestBytes: number;
  readonly firstMs: number;
  readonly allMs: number;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** As a window does: the newest part, then the older ones one by one; nothing of them is kept. */
async function show(client: Client): Promise<Shown> {
  const begun = performance.now();
  const sizes: number[] = [];
  const watched = await client.call('session.watch', { session });
  if (!watched.ok) throw new Error(watched.error.message);
  const { items } = watched.value.state;
  sizes.push(sizeOf(watched.value.state));
  const firstMs = performance.now() - begun;
  for (let before = items.findLastIndex((chunk) => chunk.length === 0) + 1; before > 0; ) {
    const part = await client.call('session.items', { session, before });
    if (!part.ok) throw new Error(part.error.message);
    sizes.push(sizeOf(part.value.items));
    before = part.value.from;
  }
  const stateBytes = sizes.reduce((sum, size) => sum + size, 0);
  return { stateBytes, largestBytes: Math.max(...sizes), firstMs, allMs: performance.now() - begun };
}

async function open(): Promise<Shown & { readonly takenBytes: number }> {
  const server = await startServer({ home, project });
  try {
    const client = await connect(server.url);
    await client.call('workbench.watch', {});
    const bare = memoryOf(server.pid, 'VmRSS');
    const shown = await show(client);
    if (!isSmoke) await until('the snapshot', () => existsSync(snapshot));
    const takenBytes = memoryOf(server.pid, 'VmHWM') - bare;
    client.close();
    return { ...shown, takenBytes };
  } finally {
    await server.stop();
  }
}

try {
  if (process.platform === 'linux') {
    writeJournal();
    await open().catch(() => undefined); // its index is made
    rmSync(snapshot, { force: true });
    for (const name of ['largeSessionJournal', 'largeSessionSnapshot']) {
      const { stateBytes, takenBytes, largestBytes, firstMs, allMs } = await open();
      report(compare(name, 'MB', { ours: [takenBytes / 1e6], reference: [stateBytes / 1e6] }));
      report(compare(`${name}Frame`, 'MB', { ours: [largestBytes / 1e6], reference: [stateBytes / 1e6] }));
      report(compare(`${name}First`, 'ms', { ours: [firstMs], reference: [allMs] }));
    }
  } else report(compare('largeSessionUnavailable', 'MB', { ours: [0], reference: [1] }));
} finally {
  rmSync(home, { recursive: true, force: true });
}
