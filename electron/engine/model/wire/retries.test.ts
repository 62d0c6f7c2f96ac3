import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerReply, startModelServer } from '../../../../e2e/modelServer.ts';
import { responsesStream } from '../../../../e2e/providers/streams.ts';
import { type ClientRig, startClientRig } from '../../testing/clientRig.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../../testing/modelEvents.ts';
import { Remembered } from '../base/capabilities.ts';
import type { ModelEvent } from '../base/port.ts';

let rig: ClientRig;

beforeEach(async () => {
  rig = await startClientRig();
});

afterEach(() => rig.close());

const stop: ModelEvent = { type: 'finish', reason: 'stop', raw: 'stop' };

describe('sending again', () => {
  async function withWaits(replies: readonly ServerReply[], retries = 2) {
    rig.server.play(...replies);
    const clock = new ManualClock();
    const found: ModelEvent[] = [];
    for await (const event of rig.client({ retries }, clock).stream(sampleRequest, new AbortController().signal)) {
      found.push(event);
      if (event.type !== 'retry') continue;
      await clock.timerSet();
      const before = rig.server.requests.length;
      clock.advance(event.waitMs - 1);
      expect(rig.server.requests.length).toBe(before);
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

  test.each([
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [
      "OpenAI's reset of a limit that is used up",
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0.5s' },
      60_500,
    ],
    [
      "Anthropic's",
      { 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2023-11-14T22:13:22Z' },
      2_000,
    ],
    [
      'not the reset of a limit that has room',
      { 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '1m' },
      1_000,
    ],
    ['a header that nobody can read', { 'retry-after': 'soon' }, 1_000],
  ])('waits as long as the headers say: %s', async (_, headers, waitMs) => {
    const [retry] = await withWaits([{ status: 429, headers }, { text: 'x' }]);
    expect(retry).toMatchObject({ type: 'retry', waitMs });
  });

  test('waits as long as the words of an error within a stream say', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 1.898s. Visit …' };
    const [retry] = await withWaits([{ raw: `data: ${JSON.stringify({ error })}\n\n` }, { text: 'x' }]);
    expect(retry).toMatchObject({ type: 'retry', waitMs: 1_898 });
  });

  test('backs off when the server says nothing, and gives up after the last attempt', async () => {
    expect(await withWaits([{ status: 500, times: 3 }])).toEqual([
      { type: 'retry', attempt: 2, attempts: 3, waitMs: 1_000, why: 'Provider HTTP 500' },
      { type: 'retry', attempt: 3, attempts: 3, waitMs: 2_000, why: 'Provider HTTP 500' },
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_ERROR',
          message: expect.stringMatching(/^Provider HTTP 500\. The fault is at the provider/) as string,
          details: { status: 500, cause: 'busy' },
        },
      },
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

  test('goes on when the server restarts under a reply and refuses connections meanwhile', async () => {
    let server = await startModelServer({ replies: [{ text: 'Half', fault: 'cut', cutAfter: 100 }] });
    const { url } = server;
    const clock = new ManualClock();
    const seen: string[] = [];
    const client = rig.client({ baseUrl: url, retries: 2 }, clock);
    for await (const event of client.stream(sampleRequest, new AbortController().signal)) {
      seen.push(event.type === 'text' ? event.text : event.type);
      if (event.type !== 'retry') continue;
      if (event.attempt === 2) await server.close();
      else server = await startModelServer({ replies: [{ text: 'Whole' }], port: Number(new URL(url).port) });
      await clock.timerSet();
      clock.advance(event.waitMs);
    }
    await server.close();
    expect(seen).toEqual(['retry', 'retry', 'Whole', 'finish']);
  });

  test('does not happen for an asked wait that nobody would watch', async () => {
    expect(await withWaits([{ status: 429, headers: { 'retry-after': '3600' } }])).toEqual([
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_RATE_LIMITED',
          message: expect.stringMatching(/^Provider HTTP 429 \(the provider asks to wait 3600 s\)\. Wait/) as string,
          details: { status: 429, cause: 'rate' },
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

describe('what a server refuses is learnt', () => {
  const refusal = (message: string): ServerReply => ({ status: 400, body: JSON.stringify({ error: { message } }) });

  test('a temperature is left out from then on', async () => {
    const memory = new Remembered();
    rig.server.play(
      refusal(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      ),
      { text: 'x', times: 2 },
    );
    const client = rig.client({}, new ManualClock(), memory);
    for (let turn = 0; turn < 2; turn += 1) await allEvents(client.stream(sampleRequest, new AbortController().signal));
    expect(rig.server.requests.map((sent) => 'temperature' in (sent.body as object))).toEqual([true, false, false]);
    expect(memory.get('test', 'm')).toEqual({ temperature: false });
  });

  test('stream_options and max_tokens likewise', async () => {
    rig.server.play(
      refusal('Extra inputs are not permitted: stream_options'),
      refusal("Use 'max_completion_tokens' instead of 'max_tokens'."),
      { text: 'x' },
    );
    await allEvents(rig.client().stream({ ...sampleRequest, maxTokens: 5 }, new AbortController().signal));
    const bodies = rig.server.requests.map((sent) =>
      Object.keys(sent.body as object).filter((key) => /max|options/.test(key)),
    );
    expect(bodies).toEqual([['max_tokens', 'stream_options'], ['max_tokens'], ['max_completion_tokens']]);
  });

  test.each([
    ['The reasoning_content in the thinking mode must be passed back to the API.', false, true],
    ['Missing `reasoning_content` field in the assistant message at message index 2', false, true],
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', false, true],
    ["'messages.1' : property 'reasoning_content' is unsupported", true, false],
  ])('whether reasoning goes back is learnt from: %s', async (message, before, after) => {
    const memory = new Remembered();
    rig.server.play(refusal(message), { text: 'x' });
    const messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', reasoning: 'r', calls: [{ id: 'c', name: 'f', argumentsText: '{}' }] },
      { role: 'tool', callId: 'c', text: 'ok' },
    ] as const;
    const client = rig.client({ echoReasoning: before }, new ManualClock(), memory);
    await allEvents(client.stream({ ...sampleRequest, messages }, new AbortController().signal));
    const sent = rig.server.requests.map(({ body }) => JSON.stringify(body).includes('"reasoning_content":"r"'));
    expect(sent).toEqual([before, after]);
    expect(memory.get('test', 'm')).toEqual({ echoReasoning: after });
  });

  test.each([
    'Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. Please use /v1/responses instead.',
    'This model is only supported in v1/responses and not in v1/chat/completions.',
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
    'The chatCompletion operation does not work with the specified model, gpt-5-codex. Please choose different model.',
    'model gpt-x is not accessible via the /chat/completions endpoint',
  ])('a model of Responses alone is known by: %s', async (message) => {
    const memory = new Remembered();
    rig.server.play({ ...refusal(message), status: 404 }, { text: 'x' });
    await allEvents(rig.client({}, new ManualClock(), memory).stream(sampleRequest, new AbortController().signal));
    expect(memory.get('test', 'm')).toEqual({ dialect: 'responses' });
  });

  test.each([
    ['Encrypted content is not supported with this model.', { thinking: 'none' }],
    ['The responses operation does not work with the specified model, m.', { dialect: 'chat' }],
  ])('over Responses is learnt from: %s', async (message, learnt) => {
    const memory = new Remembered();
    const good = {
      raw: responsesStream({ id: 'a', parts: [{ text: 'x' }], usage: { fresh: 1, cached: 0, written: 0, output: 1 } }),
    };
    rig.server.play(refusal(message), good);
    const client = rig.client({ dialectOf: () => 'responses' }, new ManualClock(), memory);
    const events = await allEvents(client.stream(sampleRequest, new AbortController().signal));
    expect([events.at(-1)?.type, memory.get('test', 'm')]).toEqual(['finish', learnt]);
    const included = rig.server.requests.map(({ body }) => 'include' in (body as object));
    expect(included).toEqual([true, !('thinking' in learnt)]);
  });

  test('blocks of reasoning stay away where they are refused', async () => {
    const memory = new Remembered();
    rig.server.play(refusal('Extra inputs are not permitted: reasoning_details'), { text: 'x' });
    const messages = [{ role: 'assistant', text: 'a', reasoningDetails: [{ type: 'reasoning.text' }] }] as const;
    const client = rig.client({ echoDetails: true }, new ManualClock(), memory);
    await allEvents(client.stream({ ...sampleRequest, messages }, new AbortController().signal));
    const sent = rig.server.requests.map(({ body }) => JSON.stringify(body).includes('reasoning_details'));
    expect(sent).toEqual([true, false]);
  });

  test.each([
    'registry.ollama.ai/library/gemma:2b does not support tools',
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'tools param requires --jinja flag',
    'No endpoints found that support tool use. Try disabling "bash".',
    '`tool calling` is not supported with this model',
  ])('tools are refused by: %s', async (message) => {
    const memory = new Remembered();
    rig.server.play(refusal(message));
    const events = await allEvents(
      rig.client({}, new ManualClock(), memory).stream(sampleRequest, new AbortController().signal),
    );
    expect(events).toMatchObject([{ type: 'failed', error: { details: { toolsRefused: true } } }]);
    expect(memory.get('test', 'm')).toEqual({ tools: 'text' });
  });

  test.each([
    "Invalid schema for function 'read_file': array schema missing items",
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    'tools[0].function.name: too long',
  ])('tools are not given up for: %s', async (message) => {
    const memory = new Remembered();
    rig.server.play(refusal(message));
    await allEvents(rig.client({}, new ManualClock(), memory).stream(sampleRequest, new AbortController().signal));
    expect(memory.get('test', 'm')).toEqual({});
  });
});
