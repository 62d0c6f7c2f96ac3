import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../e2e/harness/connect.ts';
import { startServer } from '../e2e/harness/server.ts';
import type { Client } from '../shared/contract/client.ts';
import type { Result } from '../shared/result.ts';
import { memoryOf } from './measure/processTree.ts';
import { compare, isSmoke, report } from './measure/report.ts';

// Four sessions get replies at once that never end by themselves, two in text and two in the arguments of a call, as fast as
// the engine reads them. Its highest memory, beside what it had before (target: 300 MB), and a turn of another session
// meanwhile, beside the same turn alone.

const runaways = isSmoke ? ['text'] : ['text', 'arguments', 'text', 'arguments'];
const otherTurns = isSmoke ? 1 : 5;
const piece = 'All work and no play makes Jack a dull boy. '.repeat(20);

const eventOf = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callOf = (written: object): object => ({ tool_calls: [{ index: 0, ...written }] });
const begin = {
  text: '',
  arguments: eventOf(
    callOf({ id: 'c', type: 'function', function: { name: 'write_file', arguments: '{"content":"' } }),
  ),
};
const more = { text: eventOf({ content: piece }), arguments: eventOf(callOf({ function: { arguments: piece } })) };

let running = 0;
/** Writes until the reader goes away; it waits for the reader. */
function runAway(answer: ServerResponse, kind: keyof typeof more): void {
  running += 1;
  answer.on('close', () => {
    running -= 1;
  });
  answer.write(begin[kind]);
  const go = (): void => {
    while (!answer.destroyed && answer.write(more[kind]));
  };
  answer.on('drain', go);
  go();
}

const model = createServer((request, answer) => {
  let asked = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    asked += part;
  });
  request.on('end', () => {
    answer.writeHead(200, { 'content-type': request.method === 'GET' ? 'application/json' : 'text/event-stream' });
    const kind = /Run away in (text|arguments)\./.exec(asked)?.[1];
    if (request.method === 'GET') answer.end('{"object":"list","data":[{"id":"m","object":"model"}]}');
    else if (kind === 'text' || kind === 'arguments') runAway(answer, kind);
    else answer.end(`${eventOf({ content: 'Done.' })}${eventOf({}, 'stop')}data: [DONE]\n\n`);
  });
});

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const ends = new Map<string, (outcome: string) => void>();
/** One turn to its end: how it ended, and how long it took, ms. */
async function turn(client: Client, session: string, text: string) {
  const over = Promise.withResolvers<string>();
  ends.set(session, over.resolve);
  const start = performance.now();
  valueOf(await client.call('session.send', { session, text }));
  return { outcome: await over.promise, ms: performance.now() - start };
}

async function open(client: Client, project: string): Promise<string> {
  const { session } = valueOf(await client.call('session.create', { project, mode: 'direct' }));
  valueOf(await client.call('session.watch', { session }));
  return session;
}

const home = mkdtempSync(join(tmpdir(), 'vise-bench-'));
const project = join(home, 'project');
mkdirSync(project);
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const { port } = model.address() as AddressInfo; // listening on TCP gives this shape
const env = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_MODEL: 'm', LLM_API_KEY: 'secret-key' };
const server = await startServer({ home, project, env });
const client = await connect(server.url);
client.onEvent(({ event, session }) => {
  if (event.type === 'turn.finished') ends.get(session)?.(event.outcome);
});
try {
  const other = await open(client, project);
  const sessions: string[] = [];
  for (const _ of runaways) sessions.push(await open(client, project));
  const alone: number[] = [];
  for (let at = 0; at <= otherTurns; at += 1) {
    const { ms } = await turn(client, other, 'Hello.');
    if (at > 0) alone.push(ms); // the first one loads what it needs
  }
  const bare = memoryOf(server.pid, 'VmRSS');
  let isOver = false;
  const ended = Promise.all(
    sessions.map((session, at) => turn(client, session, `Run away in ${runaways[at] ?? 'text'}.`)),
  ).finally(() => {
    isOver = true;
  });
  const beside: number[] = [];
  while (!isOver) {
    if (running > 0) {
      const { outcome, ms } = await turn(client, other, 'Hello.');
      if (outcome !== 'done') throw new Error(`The other session's turn ended as ${outcome}.`);
      beside.push(ms);
    }
    await pause(10);
  }
  for (const { outcome } of await ended)
    if (outcome !== 'failed') throw new Error(`A reply without end made its turn ${outcome}.`);
  const peak = memoryOf(server.pid, 'VmHWM');
  report(compare('runaways', 'MB', { ours: [peak / 1e6], reference: [bare / 1e6] }));
  report(compare('runawaysOther', 'ms', { ours: beside, reference: alone }));
} finally {
  client.close();
  await server.stop();
  model.closeAllConnections();
  model.close();
  rmSync(home, { recursive: true, force: true });
}
