import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measureChild } from './measure/child.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// How long it takes to read a journal of 100,000 facts and make the state from them (vise sessions reindex), against a
// Node that only parses the same lines. Both from the start of the process to its end.

const cli = join(dirname(import.meta.dirname), 'out', 'cli.js');
const home = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const env = { ...process.env, VISE_HOME: home };
const facts = isSmoke ? 1_000 : 100_000;

/** A session as long ones are: replies with a call each, its result, the usage. */
function journalLines(): readonly string[] {
  const session = '20260101-000000-00000000';
  const at = '2026-01-01T00:00:00.000Z';
  const events: object[] = [
    { type: 'session.started', id: session, project: '/p', title: 'long', mode: 'direct', provider: 'x', model: 'm' },
    { type: 'turn.started', turn: 't', text: 'Go.', kind: 'task' },
  ];
  const intent = {
    risk: 'none',
    effects: ['reads'],
    targets: [{ kind: 'path', path: 'src/a.ts', access: 'read' }],
    summary: 'Read src/a.ts',
    preview: { kind: 'none' },
  };
  const data = { filePath: 'src/a.ts', content: 'const a = 1;\n'.repeat(20), startLine: 1, endLine: 20 };
  const usage = { requests: 1, input: 1_000, output: 20, cached: 900, reasoning: 0 };
  for (let call = 0; events.length < facts - 1; call += 1) {
    const id = `c${call}`;
    const input = { filePath: 'src/a.ts', offset: call };
    events.push(
      { type: 'message', turn: 't', role: 'assistant', text: 'I read on.', calls: [{ id, tool: 'read_file', input }] },
      { type: 'usage', turn: 't', usage },
      { type: 'tool.proposed', call: id, turn: 't', tool: 'read_file', level: 'none', input, intent },
      { type: 'tool.started', call: id },
      { type: 'tool.finished', call: id, tool: 'read_file', result: { success: true, data } },
    );
  }
  events.splice(facts - 1);
  events.push({ type: 'turn.finished', turn: 't', outcome: 'done', text: 'Done.' });
  const envelopes = events.map((event, index) => JSON.stringify({ seq: index + 1, at, session, event }));
  return ['{"journal":1}', ...envelopes];
}

async function wallOf(args: readonly string[]): Promise<number> {
  const { code, wallMs, stderr } = await measureChild(process.execPath, args, { env });
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  return wallMs;
}

try {
  const folder = join(home, 'state', 'sessions', '20260101-000000-00000000');
  const journal = join(folder, 'journal.jsonl');
  mkdirSync(folder, { recursive: true });
  writeFileSync(journal, `${journalLines().join('\n')}\n`);
  const parse = `for (const line of fs.readFileSync(${JSON.stringify(journal)}, 'utf8').split('\\n')) if (line) JSON.parse(line)`;
  const series = await byTurns(7, {
    ours: () => wallOf([cli, 'sessions', 'reindex', '--json']),
    reference: () => wallOf(['-e', parse]),
  });
  report(compare('replay100k', 'ms', series));
} finally {
  rmSync(home, { recursive: true, force: true });
}
