import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { breaksOfMessages, breaksOfResponses, type Json, type Sent } from './rules.ts';
import { messagesStream, type Part, responsesStream } from './streams.ts';

/**
 * A provider that takes nothing its makers' rules forbid: signatures and encrypted reasoning come back unchanged and in
 * order, calls are answered, at most four cache marks, no tools over chat for models that think. It counts what its own
 * prefix cache would have read.
 */
export interface StrictServer {
  /** The API root. */
  readonly url: string;
  /** Requests that were answered, and those that broke a rule. */
  readonly accepted: readonly {
    readonly path: string;
    readonly body: Json;
    readonly input: number;
    readonly cached: number;
  }[];
  readonly broken: readonly string[];
  play(...replies: readonly (readonly Part[])[]): void;
  close(): Promise<void>;
}

const charsPerToken = 4;

export async function startStrictServer(): Promise<StrictServer> {
  const waiting: (readonly Part[])[] = [];
  const accepted: StrictServer['accepted'][number][] = [];
  const broken: string[] = [];
  const sent: Sent = { reasoning: new Map(), signatures: new Set() };
  /** Hashes of prefixes that were written, for Messages; whole inputs, for Responses. */
  const written = new Set<string>();
  const inputs: { readonly key: unknown; readonly text: string }[] = [];
  let count = 0;

  const refuse = (response: ServerResponse, status: number, error: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const piece of request) text += String(piece);
    const path = new URL(request.url ?? '', 'http://h').pathname;
    if (request.method === 'GET') return void response.end('{"data":[]}');
    const body = JSON.parse(text) as Json;
    if (path.endsWith('/chat/completions') && Array.isArray(body['tools']) && body['reasoning_effort'] !== 'none') {
      const message = `Function tools are not supported for ${String(body['model'])} in /v1/chat/completions. Please use /v1/responses instead.`;
      return refuse(response, 400, { error: { message, type: 'invalid_request_error' } });
    }
    const isMessages = path.endsWith('/messages');
    const wrong = isMessages
      ? breaksOfMessages(body, request.headers, sent)
      : breaksOfResponses(body, request.headers, sent);
    if (wrong.length > 0) {
      broken.push(...wrong);
      const message = wrong.join('; ');
      return refuse(
        response,
        400,
        isMessages ? { type: 'error', error: { type: 'invalid_request_error', message } } : { error: { message } },
      );
    }
    // Without tools it is asked for a summary, which stands in no script.
    const played = body['tools'] === undefined ? [{ text: 'A summary of the work.' }] : waiting.shift();
    const parts = played ?? [{ text: 'The script is over.' }];
    count += 1;
    const input = Math.ceil(text.length / charsPerToken);
    const cached = isMessages ? readMessages(body, written) : readResponses(body, text, inputs);
    accepted.push({ path, body, input, cached });
    const usage = { fresh: Math.max(0, input - cached), cached, written: 0, output: 50 };
    const reply = { id: `r${count}`, parts, usage };
    const stream = isMessages ? messagesStream(reply) : responsesStream(reply);
    remember(reply, sent);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // listening on TCP gives this shape
    accepted,
    broken,
    play: (...replies) => void waiting.push(...replies),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function remember({ id, parts }: { readonly id: string; readonly parts: readonly Part[] }, sent: Sent): void {
  for (const [index, part] of parts.entries()) {
    if (!('reasoning' in part)) continue;
    sent.signatures.add(part.reasoning);
    sent.reasoning.set(`rs_${id}_${index}`, part.reasoning);
  }
}

/** What a cache by marks reads: up to the last marked place whose whole prefix was written before; writes up to the last mark. */
function readMessages(body: Json, written: Set<string>): number {
  const places: { readonly hash: string; readonly chars: number; readonly marked: boolean }[] = [];
  const hash = createHash('sha256');
  let chars = 0;
  const take = (block: unknown): void => {
    const { cache_control, ...plain } = block as Record<string, unknown>;
    const text = JSON.stringify(plain);
    hash.update(text);
    chars += text.length;
    places.push({ hash: hash.copy().digest('hex'), chars, marked: cache_control !== undefined });
  };
  for (const tool of (body['tools'] ?? []) as readonly unknown[]) take(tool);
  for (const block of (body['system'] ?? []) as readonly unknown[]) take(block);
  for (const message of body['messages'] as readonly { role: string; content: readonly unknown[] }[]) {
    hash.update(message.role);
    for (const block of message.content) take(block);
  }
  // A mark also finds what was written up to twenty blocks before it.
  let read = 0;
  for (const [index, place] of places.entries()) {
    if (!place.marked) continue;
    const found = places.slice(Math.max(0, index - 20), index + 1).findLast((one) => written.has(one.hash));
    read = Math.max(read, found?.chars ?? 0);
  }
  for (const place of places) if (place.marked) written.add(place.hash);
  return Math.floor(read / charsPerToken);
}

/** What a cache by equal beginnings reads, of earlier inputs under the same key. */
function readResponses(body: Json, _text: string, inputs: { readonly key: unknown; readonly text: string }[]): number {
  const key = body['prompt_cache_key'];
  const text = JSON.stringify([body['tools'], body['instructions'], body['input']]).slice(0, -2);
  let best = 0;
  for (const earlier of inputs.filter((one) => one.key === key)) {
    let same = 0;
    while (same < text.length && text[same] === earlier.text[same]) same += 1;
    best = Math.max(best, same);
  }
  inputs.push({ key, text });
  return Math.floor(best / charsPerToken / 128) * 128;
}
