import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * A model server for tests: OpenAI-compatible, plays a script of replies in order, one a request, with chosen chunk
 * boundaries and faults, and records what it was asked.
 *
 *     node e2e/modelServer.ts --script replies.json --port 0      (prints its API root as the first line)
 */
export interface ServerReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown; readonly id?: string }[];
  /** Characters of text in one chunk; everything in one when absent. */
  readonly chunk?: number;
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
  /** Milliseconds between two writes. */
  readonly gapMs?: number;
  /** Bytes in one write; a write an event when absent. */
  readonly bytes?: number;
  readonly finishReason?: string | null;
  readonly usage?: unknown;
  /** Played as it is instead of all of the above. */
  readonly raw?: string;
  /** A plain answer: a status other than 200, a web page, anything. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Faults. */
  readonly fault?:
    | 'json' // the whole reply as one JSON body instead of a stream
    | 'noDone' // the stream ends without [DONE]
    | 'noFinish' // … without a finish reason as well
    | 'junk' // an event in the middle is not JSON
    | 'cut' // the connection is destroyed after `cutAfter` bytes (half of the body when absent)
    | 'hang' // the body never ends
    | 'open' // the reply is complete, but the body never ends
    | 'reset' // the connection is destroyed before any byte
    | 'refuseTools'; // 400 when the request has tools, else the reply
  readonly cutAfter?: number;
  /** Only for a conversation whose first message holds these words, so that several at once have replies of their own. */
  readonly when?: string;
  /** How many requests get this reply; 1 when absent. */
  readonly times?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's port: the same one for requests over a kept connection. */
  readonly port: number;
  readonly text: string;
  /** The parsed body, undefined when it is not JSON. */
  readonly body: unknown;
  /** True once the client went away before the end of the answer. */
  aborted: boolean;
}

export interface ModelServer {
  /** The API root, `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Adds replies behind those that wait. */
  play(...replies: readonly ServerReply[]): void;
  /** Resolves with the n-th request (from 1) when its body is here. */
  request(count: number): Promise<RecordedRequest>;
  /** Resolves when the client of the n-th request (from 1) has gone away early. */
  aborted(count: number): Promise<void>;
  /** Ends the connections that wait for a next request, as servers do after a while. */
  dropConnections(): void;
  close(): Promise<void>;
}

const afterLast: ServerReply = { text: 'The script is over.' };

export async function startModelServer(
  options: {
    readonly replies?: readonly ServerReply[];
    readonly port?: number;
    readonly models?: readonly string[];
  } = {},
): Promise<ModelServer> {
  const waiting: ServerReply[] = [];
  const requests: RecordedRequest[] = [];
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const watcher = () => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(watcher);
        resolve(found);
      };
      watchers.add(watcher);
      watcher();
    });
  const play = (...replies: readonly ServerReply[]) => {
    for (const reply of replies) for (let time = 0; time < (reply.times ?? 1); time += 1) waiting.push(reply);
  };
  play(...(options.replies ?? []));

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (incoming.method === 'GET') {
      const models = (options.models ?? ['scripted']).map((id) => ({ id, object: 'model' }));
      const recorded = requests.map(({ method, path, body, aborted }) => ({ method, path, body, aborted }));
      const answer = incoming.url?.endsWith('/requests') ? recorded : { object: 'list', data: models };
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      return;
    }
    const text = await bodyOf(incoming);
    const request: RecordedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      port: incoming.socket.remotePort ?? 0,
      text,
      body: parsed(text),
      aborted: false,
    };
    requests.push(request);
    outgoing.on('close', () => {
      request.aborted = !outgoing.writableFinished;
      changed();
    });
    changed();
    const first = firstMessage(request.body);
    const at = waiting.findIndex(({ when }) => when === undefined || first.includes(when));
    const [reply = afterLast] = at === -1 ? [] : waiting.splice(at, 1);
    await answerWith(reply, request, outgoing);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP gives this shape
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play,
    request: (count) => until(() => requests[count - 1]),
    aborted: async (count) => void (await until(() => requests[count - 1]?.aborted || undefined)),
    dropConnections: () => server.closeIdleConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the person has said first. */
function firstMessage(body: unknown): string {
  const { messages = [] } = (body ?? {}) as { readonly messages?: readonly { role: string; content: unknown }[] };
  return JSON.stringify(messages.find(({ role }) => role === 'user')?.content ?? '');
}

async function answerWith(reply: ServerReply, request: RecordedRequest, outgoing: ServerResponse): Promise<void> {
  if (reply.delayMs) await pause(reply.delayMs);
  if (reply.fault === 'reset') {
    outgoing.destroy();
    return;
  }
  if (reply.fault === 'refuseTools' && Array.isArray((request.body as { tools?: unknown } | undefined)?.tools)) {
    const error = { message: 'registry.ollama.ai/library/small does not support tools', type: 'api_error' };
    outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  if (reply.status !== undefined || reply.body !== undefined) {
    outgoing.writeHead(reply.status ?? 200, { 'content-type': 'text/plain', ...reply.headers });
    outgoing.write(reply.body ?? '');
    if (reply.fault !== 'hang') outgoing.end();
    return;
  }
  if (reply.fault === 'json') {
    outgoing.writeHead(200, { 'content-type': 'application/json', ...reply.headers }).end(wholeBody(reply));
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers });
  const pieces = writesOf(reply);
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const limit = reply.fault === 'cut' ? (reply.cutAfter ?? Math.floor(total / 2)) : Number.POSITIVE_INFINITY;
  let sent = 0;
  for (const piece of pieces) {
    if (outgoing.destroyed) return;
    const part = piece.subarray(0, Math.max(0, limit - sent));
    if (part.length > 0 && !outgoing.write(part)) await drained(outgoing);
    sent += piece.length;
    if (sent >= limit) {
      // What was written must leave before the connection goes, else the fault would be another one.
      setImmediate(() => outgoing.destroy());
      return;
    }
    if (reply.gapMs) await pause(reply.gapMs);
    else if (reply.bytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
  if (reply.fault !== 'hang' && reply.fault !== 'open') outgoing.end();
}

/** The pieces of an event stream as they are written to the connection. */
export function writesOf(reply: ServerReply): readonly Buffer[] {
  const events = reply.raw === undefined ? eventsOf(reply) : [reply.raw];
  if (reply.bytes === undefined) return events.map((event) => Buffer.from(event));
  const all = Buffer.from(events.join(''));
  const pieces: Buffer[] = [];
  for (let at = 0; at < all.length; at += reply.bytes) pieces.push(all.subarray(at, at + reply.bytes));
  return pieces;
}

function eventsOf(reply: ServerReply): readonly string[] {
  const deltas: unknown[] = [{ role: 'assistant', content: '' }];
  if (reply.reasoning)
    deltas.push(...pieces(reply.reasoning, reply.chunk).map((text) => ({ reasoning_content: text })));
  // One by one: a long reply has more pieces than a call takes arguments.
  for (const content of pieces(reply.text ?? '', reply.chunk)) deltas.push({ content });
  for (const [index, call] of callsOf(reply).entries()) {
    const { name, arguments: written } = call.function;
    deltas.push({ tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] });
    for (const part of pieces(written, reply.chunk)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  const events = deltas.map((delta) => eventOf({ choices: [{ index: 0, delta, finish_reason: null }] }));
  if (reply.fault === 'junk') events.splice(Math.ceil(events.length / 2), 0, 'data: {unparsable}\n\n');
  if (reply.fault === 'hang') return events;
  const finish = finishOf(reply);
  if (reply.fault !== 'noFinish' && finish !== null) {
    events.push(eventOf({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
  }
  if (reply.usage !== undefined) events.push(eventOf({ choices: [], usage: reply.usage }));
  if (reply.fault !== 'noDone' && reply.fault !== 'noFinish' && reply.fault !== 'open') events.push('data: [DONE]\n\n');
  return events;
}

function wholeBody(reply: ServerReply): string {
  const calls = callsOf(reply);
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    reasoning_content: reply.reasoning,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
  return JSON.stringify({ id: 'scripted', object: 'chat.completion', model: 'scripted', choices, usage: reply.usage });
}

function callsOf(reply: ServerReply) {
  return (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(call.input) },
  }));
}

function finishOf(reply: ServerReply): string | null {
  return reply.finishReason === undefined ? (reply.calls?.length ? 'tool_calls' : 'stop') : reply.finishReason;
}

function eventOf(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', model: 'scripted', ...chunk })}\n\n`;
}

function pieces(text: string, size = text.length): readonly string[] {
  const characters = [...text]; // by code point, so that no surrogate pair is torn inside JSON
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += Math.max(1, size)) {
    found.push(characters.slice(at, at + Math.max(1, size)).join(''));
  }
  return found;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go);
      outgoing.off('close', go);
      resolve();
    };
    outgoing.on('drain', go);
    outgoing.on('close', go);
  });
}

/** The replies of a script file, or what is wrong with it. */
function repliesOf(file: string): readonly ServerReply[] | string {
  try {
    const script: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const replies =
      typeof script === 'object' && script !== null ? (script as { replies?: unknown }).replies : undefined;
    return Array.isArray(replies) ? (replies as readonly ServerReply[]) : `${file}: replies is missing or no list.`;
  } catch (error) {
    return `${file} cannot be read: ${String(error)}`;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { script: { type: 'string' }, port: { type: 'string', default: '0' } },
  });
  const replies = values.script === undefined ? [] : repliesOf(values.script);
  if (typeof replies === 'string') {
    process.stderr.write(`${replies}\n`);
    process.exitCode = 2;
    return;
  }
  const server = await startModelServer({ replies, port: Number(values.port) });
  process.stdout.write(`${server.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
