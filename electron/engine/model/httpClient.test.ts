import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { type ClientRig, startClientRig } from '../testing/clientRig.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import { Remembered } from './base/capabilities.ts';
import type { ModelEvent } from './base/port.ts';

let rig: ClientRig;

beforeEach(async () => {
  rig = await startClientRig();
});

afterEach(() => rig.close());

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
    expect(await rig.ask(reply)).toEqual([
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'text', text: 'I read.' },
      { type: 'call', id: 'call_1', name: 'read_file', argumentsText: '{"path":"ä.ts"}' },
      { type: 'usage', usage: { requests: 1, input: 100, output: 20, cached: 64, reasoning: 0 } },
      { type: 'finish', reason: 'calls', raw: 'tool_calls' },
    ]);
  });

  test.each([1, 2, 3, 17, 1_000])('is the same in writes of %i bytes', async (bytes) => {
    expect(await rig.ask({ ...hello, bytes })).toEqual(helloEvents);
  });

  test.each<[string, ServerReply]>([
    ['as one JSON body', { ...hello, fault: 'json' }],
    ['without [DONE]', { ...hello, fault: 'noDone' }],
    ['under a wrong content type', { ...hello, headers: { 'content-type': 'text/html' } }],
  ])('is accepted %s', async (_, reply) => {
    expect(await rig.ask(reply)).toEqual(helloEvents);
  });

  test('is complete after its finish reason although the line stays open', async () => {
    rig.server.play({ ...hello, fault: 'open' });
    const clock = new ManualClock();
    const events = allEvents(rig.client({ timeoutMs: 1e9 }, clock).stream(sampleRequest, new AbortController().signal));
    await rig.server.request(1);
    const ticking = setInterval(() => clock.advance(1_000), 5);
    expect(await events).toEqual(helloEvents);
    clearInterval(ticking);
  });

  test('with an unknown finish reason is not lost', async () => {
    expect(await rig.ask({ text: 'x', finishReason: 'tired' })).toEqual([
      { type: 'text', text: 'x' },
      { type: 'finish', reason: 'other', raw: 'tired' },
    ]);
  });

  test('reports a length limit, and the call that it cut off stays as it is', async () => {
    const raw =
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\\"x\\":\\"y"}}]}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n';
    expect(await rig.ask({ raw })).toEqual([
      { type: 'call', id: 'a', name: 'f', argumentsText: '{"x":"y' },
      { type: 'finish', reason: 'length', raw: 'length' },
    ]);
  });

  test('goes on while the consumer is slow', async () => {
    rig.server.play({ text: 'abc '.repeat(20_000), chunk: 4, bytes: 4_000 });
    let text = '';
    for await (const event of rig.client().stream(sampleRequest, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toBe('abc '.repeat(20_000));
  });
});

describe('a request', () => {
  test('has the model, the messages, the tools and asks for a stream with usage', async () => {
    await rig.ask(hello, { apiKey: 'sk-1', headers: { 'x-team': 'blue' } });
    const [sent] = rig.server.requests;
    expect(sent?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 0.2,
      tools: [{ type: 'function', function: sampleRequest.tools[0] }],
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
      await rig.ask(hello, { baseUrl: `${rig.server.url}${tail}` });
      expect(rig.server.requests[0]?.path).toBe('/v1/chat/completions');
    },
  );

  test('uses one kept connection for several turns', async () => {
    const client = rig.client();
    for (let turn = 0; turn < 3; turn += 1) {
      rig.server.play(hello);
      expect(await allEvents(client.stream(sampleRequest, new AbortController().signal))).toEqual(helloEvents);
    }
    expect(new Set(rig.server.requests.map((sent) => sent.port)).size).toBe(1);
  });

  test('keeps its connection although the body ends a little after the reply', async () => {
    let lost = false;
    const server = createServer((incoming, outgoing) => {
      if (incoming.method === 'GET') return void outgoing.end();
      incoming.socket.on('close', () => (lost = true));
      const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
      outgoing.write(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = rig.client({ baseUrl: `${url}/v1` });
    // As the agent does: it goes on with the last event, and does not wait for the end of the body.
    for await (const event of client.stream(sampleRequest, new AbortController().signal)) {
      if (event.type === 'finish') break;
      if (event.type === 'failed') throw new Error(event.error.message);
    }
    // The server hears of a connection that is given up before it hears what comes after.
    for (let times = 0; times < 3; times += 1) await (await fetch(url)).text();
    expect(lost).toBe(false);
    client.dispose();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('goes through although the server has closed the kept connection meanwhile', async () => {
    const client = rig.client();
    for (let turn = 0; turn < 2; turn += 1) {
      rig.server.play(hello);
      expect(await allEvents(client.stream(sampleRequest, new AbortController().signal))).toEqual(helloEvents);
      rig.server.dropConnections();
    }
    expect(rig.server.requests.length).toBe(2);
  });

  test('is not sent without a key, except to this machine', async () => {
    const client = rig.client({ baseUrl: 'https://api.example.invalid/v1' });
    expect(await allEvents(client.stream(sampleRequest, new AbortController().signal))).toEqual([
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_AUTH',
          message: expect.stringMatching(/^Missing API key/) as string,
          details: { cause: 'key' },
        },
      },
    ]);
  });

  test('is not sent while its key lies where it cannot be read, and that is what is told', async () => {
    const keyProblem = 'The key of test lies in a keychain that is locked. Unlock it.';
    const client = rig.client({ baseUrl: 'https://api.example.invalid/v1', keyProblem });
    expect(await allEvents(client.stream(sampleRequest, new AbortController().signal))).toMatchObject([
      { type: 'failed', error: { code: 'PROVIDER_AUTH', message: keyProblem } },
    ]);
  });

  test.each(['', 'nonsense', 'localhost:1234', 'ftp://host/v1'])('is not sent to "%s"', async (baseUrl) => {
    const [event] = await allEvents(rig.client({ baseUrl }).stream(sampleRequest, new AbortController().signal));
    expect(event).toMatchObject({ type: 'failed', error: { code: 'CONFIG_INVALID' } });
  });

  test('does not carry a header that would break out of its line', async () => {
    const [event] = await allEvents(
      rig.client({ headers: { 'x-a': 'b\r\nx-c: d' } }).stream(sampleRequest, new AbortController().signal),
    );
    expect([event, rig.server.requests.length]).toEqual([
      {
        type: 'failed',
        error: { code: 'CONFIG_INVALID', message: "The provider's headers cannot be sent (ERR_INVALID_CHAR)." },
      },
      0,
    ]);
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
    const outside = rig.client(
      { baseUrl: 'http://model.example.invalid/v1', apiKey: 'k' },
      new ManualClock(),
      new Remembered(),
      env,
    );
    const inside = rig.client({}, new ManualClock(), new Remembered(), env);
    rig.server.play(hello);
    expect(await allEvents(outside.stream(sampleRequest, new AbortController().signal))).toEqual([
      { type: 'text', text: 'by proxy' },
      stop,
    ]);
    expect(await allEvents(inside.stream(sampleRequest, new AbortController().signal))).toEqual(helloEvents);
    expect(asked).toEqual(['http://model.example.invalid/v1/chat/completions']);
  });
});
