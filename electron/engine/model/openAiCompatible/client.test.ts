import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer } from '../../../../e2e/modelServer.ts';
import { systemClock } from '../../base/clock.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../../testing/modelEvents.ts';
import { Remembered } from '../capabilities.ts';
import type { ModelEvent } from '../port.ts';
import { OpenAiCompatibleClient, type OpenAiCompatibleSettings } from './client.ts';

let server: ModelServer;
const clients: OpenAiCompatibleClient[] = [];

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  await server.close();
});

const settings = (changes: Partial<OpenAiCompatibleSettings> = {}): OpenAiCompatibleSettings => ({
  provider: 'test',
  baseUrl: server.url,
  apiKey: '',
  headers: {},
  timeoutMs: 60_000,
  retries: 0,
  temperature: 0.2,
  streamUsage: true,
  echoReasoning: false,
  ...changes,
});

const question = sampleRequest;

function make(changes: Partial<OpenAiCompatibleSettings> = {}, clock = new ManualClock(), memory = new Remembered()) {
  let ids = 0;
  const ports = { clock, env: {}, memory, random: () => 0, newId: () => `new${(ids += 1)}` };
  const client = new OpenAiCompatibleClient(settings(changes), ports);
  clients.push(client);
  return client;
}

const ask = (reply: ServerReply, changes: Partial<OpenAiCompatibleSettings> = {}) => {
  server.play(reply);
  return allEvents(make(changes).stream(question, new AbortController().signal));
};

const stop: ModelEvent = { type: 'finish', reason: 'stop', raw: 'stop' };
const hello: ServerReply = { text: 'Hello, Wörld 🌍!', chunk: 2 };
const helloEvents: readonly ModelEvent[] = [{ type: 'text', text: 'Hello, Wörld 🌍!' }, stop];

describe('a reply over HTTP', () => {
  test('comes as text, reasoning, calls, usage and finish', async () => {
    const reply: ServerReply = {
      reasoning: 'Let me see.',
      text: 'I read.',
      calls: [{ tool: 'read_file', input: { path: 'ä.ts' } }],
      chunk: 3,
      usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 64 } },
    };
    expect(await ask(reply)).toEqual([
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'text', text: 'I read.' },
      { type: 'call', id: 'call_1', name: 'read_file', argumentsText: '{"path":"ä.ts"}' },
      { type: 'usage', usage: { requests: 1, input: 100, output: 20, cached: 64, reasoning: 0 } },
      { type: 'finish', reason: 'calls', raw: 'tool_calls' },
    ]);
  });

  test.each([1, 2, 3, 17, 1_000])('is the same in writes of %i bytes', async (bytes) => {
    expect(await ask({ ...hello, bytes })).toEqual(helloEvents);
  });

  test.each<[string, ServerReply]>([
    ['as one JSON body', { ...hello, fault: 'json' }],
    ['without [DONE]', { ...hello, fault: 'noDone' }],
    ['under a wrong content type', { ...hello, headers: { 'content-type': 'text/html' } }],
  ])('is accepted %s', async (_, reply) => {
    expect(await ask(reply)).toEqual(helloEvents);
  });

  test('is complete after its finish reason although the line stays open', async () => {
    server.play({ ...hello, fault: 'open' });
    const clock = new ManualClock();
    const events = allEvents(make({}, clock).stream(question, new AbortController().signal));
    await server.request(1);
    const ticking = setInterval(() => clock.advance(1_000), 5);
    expect(await events).toEqual(helloEvents);
    clearInterval(ticking);
  });

  test('with an unknown finish reason is not lost', async () => {
    expect(await ask({ text: 'x', finishReason: 'tired' })).toEqual([
      { type: 'text', text: 'x' },
      { type: 'finish', reason: 'other', raw: 'tired' },
    ]);
  });

  test('reports a length limit, and the call that it cut off stays as it is', async () => {
    const raw =
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\\"x\\":\\"y"}}]}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n';
    expect(await ask({ raw })).toEqual([
      { type: 'call', id: 'a', name: 'f', argumentsText: '{"x":"y' },
      { type: 'finish', reason: 'length', raw: 'length' },
    ]);
  });

  test('goes on while the consumer is slow', async () => {
    server.play({ text: 'abc '.repeat(20_000), chunk: 4, bytes: 4_000 });
    let text = '';
    for await (const event of make().stream(question, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toBe('abc '.repeat(20_000));
  });
});

describe('a request', () => {
  test('has the model, the messages, the tools and asks for a stream with usage', async () => {
    await ask(hello, { apiKey: 'sk-1', headers: { 'x-team': 'blue' } });
    const [sent] = server.requests;
    expect(sent?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 0.2,
      tools: [{ type: 'function', function: question.tools[0] }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect([sent?.path, sent?.headers.authorization, sent?.headers['x-team'], sent?.headers['content-type']]).toEqual([
      '/v1/chat/completions',
      'Bearer sk-1',
      'blue',
      'application/json',
    ]);
  });

  test.each(['', '/', '/chat/completions', '/chat/completions/'])(
    'reaches the same place with "%s" behind the root',
    async (tail) => {
      await ask(hello, { baseUrl: `${server.url}${tail}` });
      expect(server.requests[0]?.path).toBe('/v1/chat/completions');
    },
  );

  test('uses one kept connection for several turns', async () => {
    const client = make();
    const ports = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      server.play(hello);
      expect(await allEvents(client.stream(question, new AbortController().signal))).toEqual(helloEvents);
      ports.add(String(server.requests[turn]?.headers.connection));
    }
    expect([...ports]).toEqual(['keep-alive']);
  });

  test('is not sent without a key, except to this machine', async () => {
    const client = make({ baseUrl: 'https://api.example.invalid/v1' });
    expect(await allEvents(client.stream(question, new AbortController().signal))).toEqual([
      {
        type: 'failed',
        error: { code: 'PROVIDER_AUTH', message: expect.stringMatching(/^Missing API key/) as string },
      },
    ]);
  });

  test.each(['', 'nonsense', 'localhost:1234', 'ftp://host/v1'])('is not sent to "%s"', async (baseUrl) => {
    const [event] = await allEvents(make({ baseUrl }).stream(question, new AbortController().signal));
    expect(event).toMatchObject({ type: 'failed', error: { code: 'CONFIG_INVALID' } });
  });

  test('does not carry a header that would break out of its line', async () => {
    const [event] = await allEvents(
      make({ headers: { 'x-a': 'b\r\nx-c: d' } }).stream(question, new AbortController().signal),
    );
    expect([event, server.requests.length]).toEqual([
      {
        type: 'failed',
        error: { code: 'CONFIG_INVALID', message: "The provider's headers cannot be sent (ERR_INVALID_CHAR)." },
      },
      0,
    ]);
  });
});

describe('a fault of the provider', () => {
  const html = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

  test.each<[string, ServerReply, string, string]>([
    [
      '401',
      { status: 401, body: '{"error":{"message":"bad key"}}' },
      'PROVIDER_AUTH',
      'Provider HTTP 401: {"error":{"message":"bad key"}}',
    ],
    ['404', { status: 404, body: 'no such model' }, 'PROVIDER_ERROR', 'Provider HTTP 404: no such model'],
    ['429', { status: 429, body: 'slow down' }, 'PROVIDER_RATE_LIMITED', 'Provider HTTP 429: slow down'],
    ['500', { status: 500 }, 'PROVIDER_ERROR', 'Provider HTTP 500'],
    [
      '502 with a web page',
      { status: 502, body: html },
      'PROVIDER_ERROR',
      'Provider HTTP 502: (a web page: 502 Bad Gateway)',
    ],
    [
      'a web page instead of a reply',
      { body: html },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected OpenAI-compatible response: (a web page: 502 Bad Gateway)',
    ],
    [
      'plain text instead of a reply',
      { body: 'upstream is gone' },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected OpenAI-compatible response: upstream is gone',
    ],
    [
      'JSON of another kind',
      { body: '{"hello":1}' },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected OpenAI-compatible response: {"hello":1}',
    ],
    [
      'an error as a 200 body',
      { body: '{"error":{"message":"context length exceeded"}}' },
      'PROVIDER_ERROR',
      'Provider error: context length exceeded',
    ],
    ['nothing at all', { body: '' }, 'PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.'],
    ['only comments', { raw: ': ping\n\n: ping\n\n' }, 'PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.'],
    [
      'a junk event',
      { ...hello, fault: 'junk' },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected OpenAI-compatible response: {unparsable}',
    ],
    [
      'an end without a finish reason',
      { ...hello, fault: 'noFinish' },
      'PROVIDER_UNREACHABLE',
      'Provider connection failed: the stream ended before the reply did',
    ],
    [
      'a connection cut in the middle',
      { ...hello, fault: 'cut' },
      'PROVIDER_UNREACHABLE',
      'Provider connection failed: aborted',
    ],
    [
      'a connection cut before the answer',
      { fault: 'reset' },
      'PROVIDER_UNREACHABLE',
      'Provider connection failed: socket hang up',
    ],
    [
      'a call without a name',
      {
        raw: 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\n',
      },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected OpenAI-compatible response: a tool call without a name',
    ],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'https://login.example.org/?token=secret' } },
      'PROVIDER_ERROR',
      'Provider HTTP 302: the address redirects to https://login.example.org/; set llm_base_url to where it leads',
    ],
  ])('%s is reported', async (_, reply, code, message) => {
    const events = await ask(reply);
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code, message } });
    expect(events.filter((event) => event.type === 'call' || event.type === 'finish')).toEqual([]);
  });

  test('never shows the key that a server repeats', async () => {
    const [event] = await ask(
      { status: 401, body: 'Incorrect API key provided: sk-secret-1' },
      { apiKey: 'sk-secret-1' },
    );
    expect(event).toMatchObject({ error: { message: 'Provider HTTP 401: Incorrect API key provided: ***' } });
  });

  test('a refused connection is reported at once, retries or not', async () => {
    const free = await startModelServer();
    const baseUrl = free.url;
    await free.close();
    const events = await allEvents(make({ baseUrl, retries: 2 }).stream(question, new AbortController().signal));
    expect(events).toEqual([
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_UNREACHABLE',
          message: expect.stringMatching(/^Provider connection failed: .*ECONNREFUSED/) as string,
        },
      },
    ]);
  });

  test('a redirect on the same host is followed with method and key', async () => {
    server.play({ status: 307, headers: { location: '/v2/chat/completions' } });
    expect(await ask(hello, { apiKey: 'k' })).toEqual(helloEvents);
    expect(server.requests.map((sent) => [sent.method, sent.path, sent.headers.authorization])).toEqual([
      ['POST', '/v1/chat/completions', 'Bearer k'],
      ['POST', '/v2/chat/completions', 'Bearer k'],
    ]);
  });
});

describe('sending again', () => {
  async function withWaits(replies: readonly ServerReply[], retries = 2) {
    server.play(...replies);
    const clock = new ManualClock();
    const found: ModelEvent[] = [];
    for await (const event of make({ retries }, clock).stream(question, new AbortController().signal)) {
      found.push(event);
      if (event.type !== 'retry') continue;
      await clock.timerSet();
      const before = server.requests.length;
      clock.advance(event.waitMs - 1);
      expect(server.requests.length).toBe(before);
      clock.advance(1);
    }
    return found.filter((event) => event.type !== 'callDelta');
  }

  test('waits as long as the server says, in seconds', async () => {
    expect(await withWaits([{ status: 429, headers: { 'retry-after': '7' } }, { text: 'x' }])).toEqual([
      { type: 'retry', attempt: 2, attempts: 3, waitMs: 7_000, why: 'Provider HTTP 429' },
      { type: 'text', text: 'x' },
      stop,
    ]);
  });

  test('waits as long as the server says, as a date', async () => {
    const date = new Date(1_700_000_000_000 + 9_000).toUTCString();
    const [retry] = await withWaits([{ status: 503, headers: { 'retry-after': date } }, { text: 'x' }]);
    expect(retry).toMatchObject({ type: 'retry', waitMs: 9_000 });
  });

  test('backs off when the server says nothing, and gives up after the last attempt', async () => {
    expect(await withWaits([{ status: 500, times: 3 }])).toEqual([
      { type: 'retry', attempt: 2, attempts: 3, waitMs: 1_000, why: 'Provider HTTP 500' },
      { type: 'retry', attempt: 3, attempts: 3, waitMs: 2_000, why: 'Provider HTTP 500' },
      { type: 'failed', error: { code: 'PROVIDER_ERROR', message: 'Provider HTTP 500', details: { status: 500 } } },
    ]);
  });

  test('starts the reply again after a cut stream, and only the whole reply has calls', async () => {
    const calls = [{ tool: 'read_file', input: { path: 'a' } }];
    const cut: ServerReply = { text: 'Half a', calls, chunk: 3, fault: 'cut', cutAfter: 700 };
    const events = await withWaits([cut, { text: 'Whole', calls }]);
    expect(events.filter((event) => event.type !== 'text')).toEqual([
      { type: 'restart' },
      { type: 'retry', attempt: 2, attempts: 3, waitMs: 1_000, why: 'Provider connection failed: aborted' },
      { type: 'call', id: 'call_1', name: 'read_file', argumentsText: '{"path":"a"}' },
      { type: 'finish', reason: 'calls', raw: 'tool_calls' },
    ]);
    const restart = events.findIndex((event) => event.type === 'restart');
    expect(events.slice(restart).filter((event) => event.type === 'text')).toEqual([{ type: 'text', text: 'Whole' }]);
  });

  test('does not happen for an asked wait that nobody would watch', async () => {
    expect(await withWaits([{ status: 429, headers: { 'retry-after': '3600' } }])).toEqual([
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_RATE_LIMITED',
          message: 'Provider HTTP 429 (the provider asks to wait 3600 s)',
          details: { status: 429 },
        },
      },
    ]);
  });

  test('does not happen when the quota is spent', async () => {
    const events = await withWaits([{ status: 429, body: '{"error":{"code":"insufficient_quota"}}' }]);
    expect(events.map((event) => event.type)).toEqual(['failed']);
  });

  test('happens for an error in the stream that the server calls its own', async () => {
    const raw =
      'data: {"choices":[{"delta":{"content":"He"}}]}\n\ndata: {"error":{"message":"oops","type":"server_error"}}\n\n';
    const events = await withWaits([{ raw }, { text: 'x' }]);
    expect(events.map((event) => event.type)).toEqual(['text', 'restart', 'retry', 'text', 'finish']);
  });
});

describe('silence', () => {
  test.each<[string, ServerReply]>([
    ['before the answer', { delayMs: 60_000 }],
    ['in the middle of it', { ...hello, fault: 'hang' }],
  ])('%s ends after the time limit', async (_, reply) => {
    server.play(reply);
    const clock = new ManualClock();
    const events = allEvents(make({ timeoutMs: 120_000 }, clock).stream(question, new AbortController().signal));
    await server.request(1);
    const ticking = setInterval(() => clock.advance(60_000), 20);
    expect((await events).at(-1)).toEqual({
      type: 'failed',
      error: { code: 'PROVIDER_UNREACHABLE', message: 'Provider connection failed: no answer for 120 s (LLM_TIMEOUT)' },
    });
    clearInterval(ticking);
    await server.aborted(1);
  });
});

describe('cancelling', () => {
  const cancelled: ModelEvent = { type: 'failed', error: { code: 'CANCELLED', message: 'The request was cancelled.' } };

  test.each<[string, ServerReply]>([
    ['before the answer', { delayMs: 60_000 }],
    ['in the middle of it', { ...hello, fault: 'hang' }],
  ])('%s answers at once and closes the connection', async (_, reply) => {
    server.play(reply);
    const abort = new AbortController();
    const stream = make({}, new ManualClock()).stream(question, abort.signal)[Symbol.asyncIterator]();
    await server.request(1);
    if (reply.fault === 'hang') await stream.next();
    abort.abort();
    let last = await stream.next();
    while (!last.done && last.value.type === 'text') last = await stream.next();
    expect([last.value, (await stream.next()).done]).toEqual([cancelled, true]);
    await server.aborted(1);
  });

  test('before the request sends nothing', async () => {
    expect(await allEvents(make().stream(question, AbortSignal.abort()))).toEqual([cancelled]);
    expect(server.requests).toEqual([]);
  });

  test('while waiting for the next attempt ends the wait', async () => {
    server.play({ status: 500 });
    const abort = new AbortController();
    const clock = new ManualClock();
    const seen: string[] = [];
    for await (const event of make({ retries: 2 }, clock).stream(question, abort.signal)) {
      seen.push(event.type);
      if (event.type === 'retry') {
        await clock.timerSet();
        abort.abort();
      }
    }
    expect([seen, clock.waiting, server.requests.length]).toEqual([['retry', 'failed'], 0, 1]);
  });

  test('by leaving the loop closes the connection', async () => {
    server.play({ ...hello, fault: 'hang' });
    for await (const event of make().stream(question, new AbortController().signal)) if (event.type === 'text') break;
    await server.aborted(1);
  });
});

describe('what a server refuses is learnt', () => {
  const refusal = (message: string): ServerReply => ({ status: 400, body: JSON.stringify({ error: { message } }) });

  test('a temperature is left out from then on', async () => {
    const memory = new Remembered();
    server.play(
      refusal(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      ),
      { text: 'x', times: 2 },
    );
    const client = make({}, new ManualClock(), memory);
    for (let turn = 0; turn < 2; turn += 1) await allEvents(client.stream(question, new AbortController().signal));
    expect(server.requests.map((sent) => 'temperature' in (sent.body as object))).toEqual([true, false, false]);
    expect(memory.get('test', 'm')).toEqual({ temperature: false });
  });

  test('stream_options and max_tokens likewise', async () => {
    server.play(
      refusal('Extra inputs are not permitted: stream_options'),
      refusal("Use 'max_completion_tokens' instead of 'max_tokens'."),
      { text: 'x' },
    );
    await allEvents(make().stream({ ...question, maxTokens: 5 }, new AbortController().signal));
    const bodies = server.requests.map((sent) =>
      Object.keys(sent.body as object).filter((key) => /max|options/.test(key)),
    );
    expect(bodies).toEqual([['max_tokens', 'stream_options'], ['max_tokens'], ['max_completion_tokens']]);
  });

  test.each([
    'registry.ollama.ai/library/gemma:2b does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'tools param requires --jinja flag',
    'No endpoints found that support tool use. Try disabling "bash".',
    '`tool calling` is not supported with this model',
  ])('tools are refused by: %s', async (message) => {
    const memory = new Remembered();
    server.play(refusal(message));
    const events = await allEvents(make({}, new ManualClock(), memory).stream(question, new AbortController().signal));
    expect(events).toMatchObject([{ type: 'failed', error: { details: { toolsRefused: true } } }]);
    expect(memory.get('test', 'm')).toEqual({ tools: 'text' });
  });

  test.each([
    "Invalid schema for function 'read_file': array schema missing items",
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    'tools[0].function.name: too long',
  ])('tools are not given up for: %s', async (message) => {
    const memory = new Remembered();
    server.play(refusal(message));
    await allEvents(make({}, new ManualClock(), memory).stream(question, new AbortController().signal));
    expect(memory.get('test', 'm')).toEqual({});
  });
});

describe('a proxy', () => {
  let proxy: Server;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    proxy = createServer((incoming, outgoing) => {
      asked.push(incoming.url ?? '');
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end('{"choices":[{"message":{"content":"by proxy"},"finish_reason":"stop"}]}');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => {
      proxy.close(resolve);
      proxy.closeAllConnections();
    });
  });

  test('from the environment is used for other machines, never for this one', async () => {
    const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const ports = { clock: systemClock, env, memory: new Remembered() };
    const outside = new OpenAiCompatibleClient(
      settings({ baseUrl: 'http://model.example.invalid/v1', apiKey: 'k' }),
      ports,
    );
    const inside = new OpenAiCompatibleClient(settings(), ports);
    clients.push(outside, inside);
    server.play(hello);
    expect(await allEvents(outside.stream(question, new AbortController().signal))).toEqual([
      { type: 'text', text: 'by proxy' },
      stop,
    ]);
    expect(await allEvents(inside.stream(question, new AbortController().signal))).toEqual(helloEvents);
    expect(asked).toEqual(['http://model.example.invalid/v1/chat/completions']);
  });
});
