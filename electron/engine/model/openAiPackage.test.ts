import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../e2e/modelServer.ts';
import { responsesStream } from '../../../e2e/providers/streams.ts';
import { type ClientRig, startClientRig } from '../testing/clientRig.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import { Remembered } from './base/capabilities.ts';

async function rig(): Promise<ClientRig> {
  const made = await startClientRig();
  onTestFinished(() => made.close());
  return made;
}

const usage = { fresh: 10, cached: 0, written: 0, output: 5 };
const through = { throughPackage: true, apiKey: 'sk-secret-1' };
const overResponses = { ...through, dialectOf: () => 'responses' as const };

describe("OpenAI's package", () => {
  test('sends chat and Responses to their addresses, with the key, and our reader reads the answer', async () => {
    const { server, ask } = await rig();
    const chat = await ask({ text: 'Hi' }, through);
    const responses = await ask({ raw: responsesStream({ id: 'a', parts: [{ text: 'Ho' }], usage }) }, overResponses);
    expect([chat[0], responses[0]]).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'text', text: 'Ho' },
    ]);
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/chat/completions', 'Bearer sk-secret-1'],
      ['/v1/responses', 'Bearer sk-secret-1'],
    ]);
    expect(server.requests[1]?.body).toMatchObject({ store: false, stream: true });
  });

  test.each([
    [
      401,
      '{"error":{"message":"Incorrect API key provided: sk-secret-1","code":"invalid_api_key"}}',
      'PROVIDER_AUTH',
      'key',
    ],
    [404, '{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}', 'PROVIDER_ERROR', 'model'],
    [400, '{"error":{"message":"too long","code":"context_length_exceeded"}}', 'PROVIDER_ERROR', 'overflow'],
    [429, '{"error":{"message":"quota","code":"insufficient_quota"}}', 'PROVIDER_RATE_LIMITED', 'credit'],
    [500, '<html><title>502 Bad Gateway</title></html>', 'PROVIDER_ERROR', 'busy'],
  ])('names an error %d as we do without it, and shows no key', async (status, body, code, cause) => {
    const { ask } = await rig();
    const [event] = await ask({ status, body }, overResponses);
    expect(event).toMatchObject({ type: 'failed', error: { code, details: { cause } } });
    expect(JSON.stringify(event)).not.toContain('sk-secret-1');
  });

  test('does without summaries of the reasoning where the organisation may have none, and remembers it', async () => {
    const { server, client } = await rig();
    const error = {
      message: 'Your organization must be verified to generate reasoning summaries.',
      param: 'reasoning.summary',
      code: 'unsupported_value',
    };
    const good = { raw: responsesStream({ id: 'a', parts: [{ text: 'Ho' }], usage }), times: 2 };
    server.play({ status: 400, body: JSON.stringify({ error }) }, good);
    const memory = new Remembered();
    const asked = client(overResponses, new ManualClock(), memory);
    for (let turn = 0; turn < 2; turn += 1)
      await allEvents(asked.stream({ ...sampleRequest, effort: 'high' }, new AbortController().signal));
    expect(server.requests.map(({ body }) => (body as { readonly reasoning?: unknown }).reasoning)).toEqual([
      { effort: 'high', summary: 'auto' },
      { effort: 'high' },
      { effort: 'high' },
    ]);
    expect(memory.get('test', 'm')).toEqual({ summary: false });
  });

  test('loses no word of an error that stands elsewhere than its maker writes it', async () => {
    const { ask } = await rig();
    const [event] = await ask(
      { status: 400, body: '{"statusCode":400,"message":"The gateway says no"}' },
      overResponses,
    );
    const message = expect.stringMatching(/^Provider HTTP 400: The gateway says no\./) as string;
    expect(event).toMatchObject({ type: 'failed', error: { message } });
  });

  test('sends nothing again by itself: waiting is ours, as long as the provider asks', async () => {
    const { server, client } = await rig();
    server.play({ status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"message":"slow"}}' }, { text: 'Hi' });
    const clock = new ManualClock();
    const events = allEvents(
      client({ ...through, retries: 2 }, clock).stream(sampleRequest, new AbortController().signal),
    );
    await clock.timerSet();
    await server.request(1);
    while (server.requests.length < 2) {
      clock.advance(7_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await events).map((event) => (event.type === 'retry' ? event.waitMs : event.type))).toEqual([
      7_000,
      'text',
      'finish',
    ]);
  });

  test('an abort ends a stream that goes on, at once and with its own word', async () => {
    const { server, client } = await rig();
    server.play({ text: 'x'.repeat(100), chunk: 1, fault: 'hang' });
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const event of client(through).stream(sampleRequest, abort.signal)) {
      seen.push(event.type === 'failed' ? event.error.code : event.type);
      abort.abort();
    }
    expect(seen.at(-1)).toBe('CANCELLED');
    await server.aborted(1);
  });

  test('a cut stream and an unreachable server are told as without it', async () => {
    const { ask, client } = await rig();
    expect((await ask({ text: 'x'.repeat(900), chunk: 1, fault: 'cut' }, through)).at(-1)).toMatchObject({
      error: { code: 'PROVIDER_UNREACHABLE' },
    });
    const free = await startModelServer();
    await free.close();
    const events = await allEvents(
      client({ ...through, baseUrl: free.url }).stream(sampleRequest, new AbortController().signal),
    );
    expect(events).toMatchObject([
      { type: 'failed', error: { code: 'PROVIDER_UNREACHABLE', details: { cause: 'refused' } } },
    ]);
  });
});

describe('a hostile provider', () => {
  test('J5 a body that grows a thousandfold when it is unpacked ends at the bound of a reply', async () => {
    const { client } = await rig();
    const event = Buffer.from(`data: {"choices":[{"delta":{"content":"${'x'.repeat(60_000)}"}}]}\n\n`);
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 1_000 }, () => event)));
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // listening on TCP gives this shape
    const events = await allEvents(client({ baseUrl }).stream(sampleRequest, new AbortController().signal));
    const message = expect.stringMatching(/more than 8000000 characters/) as string;
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_BAD_RESPONSE', message } });
  });

  test('J5 arguments, additions and reasoning nested 20,000 deep end no process and are not kept', async () => {
    const { ask } = await rig();
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const chunk = (delta: string) =>
      `data: {"choices":[{"delta":${delta},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`;
    const nested = [
      chunk(`{"tool_calls":[{"index":0,"id":"a","extra_content":${deep},"function":{"name":"f","arguments":"{}"}}]}`),
      chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":${deep}}}]}`),
      chunk(`{"content":"x","reasoning_details":[${deep}]}`),
    ];
    for (const raw of nested)
      expect((await ask({ raw })).at(-1)).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_BAD_RESPONSE' } });
    // As text they are arguments like others; whoever parses them finds the bound.
    const [call] = (
      await ask({
        raw: chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":${JSON.stringify(deep)}}}]}`),
      })
    ).filter(({ type }) => type === 'call');
    const { parseCallArguments } = await import('./base/callArguments.ts');
    expect(parseCallArguments(call?.type === 'call' ? call.argumentsText : '')).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/nested deeper/) as string },
    });
  });

  test('J5 a reply without end, a name without end and 10,000 calls are given up and not asked for again', async () => {
    const { server, ask } = await rig();
    const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'f', arguments: '{}' },
    }));
    const bodies = [
      chunk({ content: 'x'.repeat(9_000_000) }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f'.repeat(5_000_000) } }] }),
      chunk({ tool_calls: many }),
    ];
    for (const raw of bodies) {
      const before = server.requests.length;
      const end = (await ask({ raw, times: 3 }, { retries: 2 })).at(-1);
      expect(end).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_BAD_RESPONSE' } });
      expect(JSON.stringify(end).length).toBeLessThan(500);
      expect(server.requests.length - before).toBe(1);
    }
  });
});
