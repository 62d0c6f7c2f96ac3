import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { makeFolder, removeFolder, productRoot as root } from '../e2e/harness/folders.ts';
import { startModelServer } from '../e2e/modelServer.ts';
import { makeSample, plainResults as rows, shell } from '../electron/engine/testing/plainResults.ts';
import { compare, report } from './measure/report.ts';

// The tokens (o200k_base) of each tool's result as the model reads it, beside what the command line prints of the same: `vise exec`
// of the built product calls each tool once in a copy of an installed package, and the results are read from what it sends to
// the model. The commands run in a second copy, in the same order, so that what changes files changes both.
// VISE_UPDATE_DOCS=1 writes the table of docs/benchmarks.md anew.

const folder = makeFolder('tokens');
const server = await startModelServer({
  replies: [...rows.map(([, tool, input]) => ({ calls: [{ tool, input }] })), { text: 'Done.' }],
});
try {
  const [project, twin] = [join(folder, 'project'), join(folder, 'twin')];
  makeSample(project);
  makeSample(twin);
  await exec(project);
  const table: string[] = [];
  for (const [at, [label, tool, , command]] of rows.entries()) {
    const ours = countTokens(resultIn(at + 1));
    const plain = countTokens(shell(twin, command));
    report(compare(`resultTokens ${tool}`, 'tokens', { ours: [ours], reference: [plain] }));
    const count = (value: number) => value.toLocaleString('en');
    table.push(`| ${tool}, beside ${label} | ${count(ours)} | ${count(plain)} | ${(ours / plain).toFixed(2)} |`);
  }
  if (process.env['VISE_UPDATE_DOCS'] === '1') writeTable(table);
} finally {
  await server.close();
  removeFolder(folder);
}

function exec(project: string): Promise<void> {
  mkdirSync(join(folder, 'home'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    VISE_HOME: join(folder, 'home'),
    LLM_BASE_URL: server.url,
    LLM_MODEL: 'test',
    LLM_API_KEY: 'none',
  };
  const flags = ['--project', project, '--mode', 'direct', '--allow', 'dangerous', '--trust-workspace'];
  const child = spawn(process.execPath, [join(root, 'out', 'cli.js'), 'exec', ...flags, 'go'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`vise exec ended with ${String(code)}.`))));
  });
}

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What the n-th request (from 1: the one after the call) says of the call before it. */
function resultIn(request: number): string {
  const sent = server.requests[request]?.body as Sent | undefined; // by the protocol
  const last = sent?.messages.findLast(({ role }) => role === 'tool');
  if (!last || last.content.includes('"success":false')) throw new Error(`No result: ${last?.content ?? ''}`);
  return last.content;
}

function writeTable(table: readonly string[]): void {
  const file = join(root, 'docs', 'benchmarks.md');
  const text = readFileSync(file, 'utf8');
  const head = '| tool | ours | plain text | ratio |\n|---|---|---|---|\n';
  const start = text.indexOf(head) + head.length;
  writeFileSync(file, `${text.slice(0, start)}${table.join('\n')}\n`);
}
