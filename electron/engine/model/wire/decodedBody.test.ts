import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ClientRig, startClientRig } from '../../testing/clientRig.ts';
import { allEvents, sampleRequest } from '../../testing/modelEvents.ts';
import type { ModelEvent } from '../base/port.ts';

let rig: ClientRig;
beforeEach(async () => {
  rig = await startClientRig();
});
afterEach(() => rig.close());

const event = (text: string, finish?: string): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content: text }, ...(finish ? { finish_reason: finish } : {}) }] })}\n\n`;
const stream = `${event('Grüße ')}${event('🌍', 'stop')}data: [DONE]\n\n`;
const whole: readonly ModelEvent[] = [
  { type: 'text', text: 'Grüße 🌍' },
  { type: 'finish', reason: 'stop', raw: 'stop' },
];

/** What is heard of a server that answers so. */
async function ask(answer: (response: ServerResponse) => void): Promise<readonly ModelEvent[]> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = rig.client({ baseUrl: `http://127.0.0.1:${port}/v1` });
  const events = await allEvents(client.stream(sampleRequest, AbortSignal.timeout(30_000)));
  return events.reduce<ModelEvent[]>((joined, one) => {
    const last = joined.at(-1);
    if (one.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + one.text };
    else joined.push(one);
    return joined;
  }, []);
}

describe('an answer that came compressed although nobody asked for it', () => {
  test.each([
    ['gzip', gzipSync(stream)],
    ['x-gzip', gzipSync(stream)],
    ['deflate', deflateSync(stream)],
    ['br', brotliCompressSync(stream)],
    ['identity', Buffer.from(stream)],
  ])('is read as if it were not: %s', async (encoding, bytes) => {
    const events = await ask((response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    expect(events).toEqual(whole);
  });

  test('is a stream: what was flushed is heard before the end', async () => {
    const gzip = createGzip();
    const events = await ask((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      gzip.pipe(response);
      gzip.write(stream);
      gzip.flush(constants.Z_SYNC_FLUSH); // and it never ends
    });
    gzip.destroy();
    expect(events).toEqual(whole);
  });

  test('is cut where its bytes are cut, and broken where they are none', async () => {
    const cut = await ask((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(event('Grüße ').repeat(50)).subarray(0, -12));
    });
    expect(cut.at(-1)).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_UNREACHABLE' } });
    const broken = await ask((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(stream);
    });
    expect(broken.at(-1)).toMatchObject({ type: 'failed', error: { code: 'PROVIDER_UNREACHABLE' } });
  });

  test('an error says its words', async () => {
    const events = await ask((response) => {
      response.writeHead(400, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"error":{"message":"the context is too long"}}'));
    });
    expect(events).toMatchObject([
      { type: 'failed', error: { message: expect.stringContaining('the context is too long') } },
    ]);
  });

  test('J5: is left at once when the turn is stopped, though it unpacks without end', async () => {
    const stop = new AbortController();
    const { promise: gone, resolve: left } = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      const comments = Buffer.from(': on\n\n'.repeat(10_000));
      const more = (): void => {
        if (!gzip.destroyed) gzip.write(comments, () => setImmediate(more));
      };
      response.once('close', () => {
        gzip.destroy();
        left();
      });
      response.once('pipe', more);
      gzip.once('data', () => setImmediate(() => stop.abort()));
      gzip.pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const client = rig.client({ baseUrl: `http://127.0.0.1:${port}/v1` });
    const events = await allEvents(client.stream(sampleRequest, stop.signal));
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code: 'CANCELLED' } });
    await gone;
  });
});
