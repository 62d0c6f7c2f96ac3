import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerReply, startModelServer } from '../../../../e2e/modelServer.ts';
import { type ClientRig, startClientRig } from '../../testing/clientRig.ts';
import { ManualClock } from '../../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../../testing/modelEvents.ts';
import type { ModelEvent } from '../base/port.ts';

let rig: ClientRig;

beforeEach(async () => {
  rig = await startClientRig();
});

afterEach(() => rig.close());

const stop: ModelEvent = { type: 'finish', reason: 'stop', raw: 'stop' };
const hello: ServerReply = { text: 'Hello, Wörld 🌍!', chunk: 2 };
const helloEvents: readonly ModelEvent[] = [{ type: 'text', text: 'Hello, Wörld 🌍!' }, stop];

describe('a fault of the provider', () => {
  const html = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

  test.each<[string, ServerReply, string, string]>([
    [
      '401',
      { status: 401, body: '{"error":{"message":"bad key"}}' },
      'PROVIDER_AUTH',
      'Provider HTTP 401: bad key. Set a valid key',
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
      'Unexpected response: (a web page: 502 Bad Gateway)',
    ],
    [
      'plain text instead of a reply',
      { body: 'upstream is gone' },
      'PROVIDER_BAD_RESPONSE',
      'Unexpected response: upstream is gone',
    ],
    ['JSON of another kind', { body: '{"hello":1}' }, 'PROVIDER_BAD_RESPONSE', 'Unexpected response: {"hello":1}'],
    [
      'an error as a 200 body',
      { body: '{"error":{"message":"context length exceeded"}}' },
      'PROVIDER_ERROR',
      'Provider error: context length exceeded',
    ],
    ['nothing at all', { body: '' }, 'PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.'],
    ['only comments', { raw: ': ping\n\n: ping\n\n' }, 'PROVIDER_BAD_RESPONSE', 'The provider sent an empty answer.'],
    ['a junk event', { ...hello, fault: 'junk' }, 'PROVIDER_BAD_RESPONSE', 'Unexpected response: {unparsable}'],
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
      'Unexpected response: a tool call without a name',
    ],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'https://login.example.org/?token=secret' } },
      'PROVIDER_ERROR',
      'Provider HTTP 302: the address redirects to https://login.example.org/; set llm_base_url to where it leads',
    ],
  ])('%s is reported', async (_, reply, code, message) => {
    const events = await rig.ask(reply);
    const told = expect.stringContaining(message) as string;
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code, message: told } });
    expect(events.filter((event) => event.type === 'call' || event.type === 'finish')).toEqual([]);
  });

  test('never shows the key that a server repeats', async () => {
    const [event] = await rig.ask(
      { status: 401, body: 'Incorrect API key provided: sk-secret-1' },
      { apiKey: 'sk-secret-1' },
    );
    expect(event).toMatchObject({
      error: {
        message: expect.stringMatching(/^Provider HTTP 401: Incorrect API key provided: \*\*\*\. Set/) as string,
      },
    });
  });

  test('a refused connection is reported at once, retries or not', async () => {
    const free = await startModelServer();
    const baseUrl = free.url;
    await free.close();
    const events = await allEvents(
      rig.client({ baseUrl, retries: 2 }).stream(sampleRequest, new AbortController().signal),
    );
    expect(events).toEqual([
      {
        type: 'failed',
        error: {
          code: 'PROVIDER_UNREACHABLE',
          message: expect.stringMatching(/^Provider connection failed: .*ECONNREFUSED.*\. Start the server/) as string,
          details: { cause: 'refused' },
        },
      },
    ]);
  });

  test('a redirect to another host gets neither the question nor the key', async () => {
    const other = await startClientRig();
    const location = `${other.server.url}/chat/completions`;
    const [event] = await rig.ask({ status: 307, headers: { location } }, { apiKey: 'k' });
    expect(event).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_ERROR' } });
    expect(other.server.requests).toEqual([]);
    await other.close();
  });

  test('a redirect in a circle ends', async () => {
    const circle: ServerReply = { status: 308, headers: { location: '/v1/chat/completions' }, times: 20 };
    expect(await rig.ask(circle)).toMatchObject([{ type: 'failed', error: { details: { status: 308 } } }]);
    expect(rig.server.requests.length).toBe(4);
  });

  test('an error page without end is cut and reported', async () => {
    const [event] = await rig.ask({ status: 400, body: 'x'.repeat(100_000), fault: 'hang' });
    expect(event).toMatchObject({ type: 'failed', error: { details: { status: 400 } } });
  });

  test('a redirect on the same host is followed with method and key', async () => {
    rig.server.play({ status: 307, headers: { location: '/v2/chat/completions' } });
    expect(await rig.ask(hello, { apiKey: 'k' })).toEqual(helloEvents);
    expect(rig.server.requests.map((sent) => [sent.method, sent.path, sent.headers.authorization])).toEqual([
      ['POST', '/v1/chat/completions', 'Bearer k'],
      ['POST', '/v2/chat/completions', 'Bearer k'],
    ]);
  });
});

describe('silence', () => {
  test.each<[string, ServerReply]>([
    ['before the answer', { delayMs: 60_000 }],
    ['in the middle of it', { ...hello, fault: 'hang' }],
  ])('%s ends after the time limit', async (_, reply) => {
    rig.server.play(reply);
    const clock = new ManualClock();
    const events = allEvents(
      rig.client({ timeoutMs: 120_000 }, clock).stream(sampleRequest, new AbortController().signal),
    );
    await rig.server.request(1);
    const ticking = setInterval(() => clock.advance(60_000), 20);
    const message = expect.stringContaining('failed: no answer for 120 s (LLM_TIMEOUT). Try again') as string;
    expect((await events).at(-1)).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_UNREACHABLE', message } });
    clearInterval(ticking);
    await rig.server.aborted(1);
  });
});

describe('cancelling', () => {
  const cancelled: ModelEvent = { type: 'failed', error: { code: 'CANCELLED', message: 'The request was cancelled.' } };

  test.each<[string, ServerReply]>([
    ['before the answer', { delayMs: 60_000 }],
    ['in the middle of it', { ...hello, fault: 'hang' }],
  ])('%s answers at once and closes the connection', async (_, reply) => {
    rig.server.play(reply);
    const abort = new AbortController();
    const stream = rig.client({}, new ManualClock()).stream(sampleRequest, abort.signal)[Symbol.asyncIterator]();
    await rig.server.request(1);
    if (reply.fault === 'hang') await stream.next();
    abort.abort();
    let last = await stream.next();
    while (!last.done && last.value.type === 'text') last = await stream.next();
    expect([last.value, (await stream.next()).done]).toEqual([cancelled, true]);
    await rig.server.aborted(1);
  });

  test('before the request sends nothing', async () => {
    expect(await allEvents(rig.client().stream(sampleRequest, AbortSignal.abort()))).toEqual([cancelled]);
    expect(rig.server.requests).toEqual([]);
  });

  test('while waiting for the next attempt ends the wait', async () => {
    rig.server.play({ status: 500 });
    const abort = new AbortController();
    const clock = new ManualClock();
    const seen: string[] = [];
    for await (const event of rig.client({ retries: 2 }, clock).stream(sampleRequest, abort.signal)) {
      seen.push(event.type);
      if (event.type === 'retry') {
        await clock.timerSet();
        abort.abort();
      }
    }
    expect([seen, clock.waiting, rig.server.requests.length]).toEqual([['retry', 'failed'], 0, 1]);
  });

  test('by leaving the loop closes the connection', async () => {
    rig.server.play({ ...hello, fault: 'hang' });
    for await (const event of rig.client().stream(sampleRequest, new AbortController().signal))
      if (event.type === 'text') break;
    await rig.server.aborted(1);
  });
});
