import { describe, expect, test } from 'vitest';
import { createClient } from './client.ts';
import { packBytes, unpackBytes } from './frame.ts';
import { inMemoryPair } from './inMemoryPair.ts';

function pair() {
  const [near, far] = inMemoryPair();
  const heard: unknown[] = [];
  far.onFrame((frame) => heard.push(frame));
  return { client: createClient(near), far, heard };
}

/** Frames cross in microtasks; after this all that were posted have arrived. */
const crossed = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

describe('the client', () => {
  test('answers each call with the reply of its number, in any order', async () => {
    const { client, far, heard } = pair();
    const first = client.call('session.stop', { session: 'a' });
    const second = client.call('session.stop', { session: 'b' });
    await crossed();
    expect(heard).toEqual([
      { kind: 'call', id: 0, method: 'session.stop', input: { session: 'a' } },
      { kind: 'call', id: 1, method: 'session.stop', input: { session: 'b' } },
    ]);
    far.post({ kind: 'refusal', id: 1, error: { code: 'SESSION_NOT_FOUND', message: 'gone' } });
    far.post({ kind: 'reply', id: 0, ok: true, value: {} });
    expect(await first).toEqual({ ok: true, value: {} });
    expect(await second).toEqual({ ok: false, error: { code: 'SESSION_NOT_FOUND', message: 'gone' } });
  });

  test('a closed connection answers what waits, and everything after it', async () => {
    const { client, far } = pair();
    const reasons: string[] = [];
    client.onClose((reason) => reasons.push(reason));
    const waiting = client.call('session.stop', { session: 'a' });
    far.post({ kind: 'closed', reason: 'too many frames' });
    const gone = { ok: false, error: { code: 'UNAVAILABLE', message: 'The connection closed: too many frames' } };
    expect(await waiting).toEqual(gone);
    far.close('again');
    await crossed();
    expect(await client.call('session.stop', { session: 'a' })).toEqual(gone);
    expect(reasons).toEqual(['too many frames']);
  });

  test('frames that are none are passed over', async () => {
    const { client, far } = pair();
    const answer = client.call('session.stop', { session: 'a' });
    far.post({ kind: 'nonsense' });
    far.post({ kind: 'reply', id: 'x' });
    far.post(new Uint8Array([1]));
    far.post({ kind: 'reply', id: 0, ok: true, value: {} });
    expect((await answer).ok).toBe(true);
  });

  test('console bytes that came before their listener are kept for it, and each is acknowledged when drawn', async () => {
    const { client, far, heard } = pair();
    far.post(packBytes(7, new Uint8Array([1, 2])));
    far.post(packBytes(7, new Uint8Array([3])));
    far.post({ kind: 'ended', channel: 7 });
    await crossed();
    const told: unknown[] = [];
    client.onConsole(7, {
      bytes: (bytes, drawn) => {
        told.push([...bytes]);
        drawn();
      },
      ended: () => told.push('ended'),
    });
    await crossed();
    expect(told).toEqual([[1, 2], [3], 'ended']);
    expect(heard).toEqual([
      { kind: 'ack', channel: 7, bytes: 2 },
      { kind: 'ack', channel: 7, bytes: 1 },
    ]);
  });

  test('who stopped listening hears nothing more', async () => {
    const { client, far } = pair();
    const heard: number[] = [];
    const stop = client.onEvent(({ seq }) => heard.push(seq));
    const event = (seq: number) => ({ kind: 'event', envelope: { seq, at: '', session: 's', event: { type: 'x' } } });
    far.post(event(1));
    await crossed();
    stop();
    far.post(event(2));
    await crossed();
    expect(heard).toEqual([1]);
  });
});

describe('the pair in memory', () => {
  test('only data crosses: no object is shared, undefined is dropped', async () => {
    const [near, far] = inMemoryPair();
    const heard: unknown[] = [];
    far.onFrame((frame) => heard.push(frame));
    const frame = { kind: 'call', input: { a: undefined, list: [1] } };
    near.post(frame);
    await crossed();
    expect(heard).toStrictEqual([{ kind: 'call', input: { list: [1] } }]);
    expect((heard[0] as typeof frame).input.list).not.toBe(frame.input.list);
  });

  test('frames before the listener are kept, and what was posted arrives before the end', async () => {
    const [near, far] = inMemoryPair();
    const told: unknown[] = [];
    near.post({ n: 1 });
    near.close('bye');
    near.post({ n: 2 });
    far.onClose((reason) => told.push(reason));
    await crossed();
    far.onFrame((frame) => told.push(frame));
    expect(told).toEqual(['bye', { n: 1 }]);
  });
});

test('packed bytes name their channel; too short a frame names none', () => {
  expect(unpackBytes(packBytes(70_000, new Uint8Array([9])))).toEqual({ channel: 70_000, bytes: new Uint8Array([9]) });
  expect(unpackBytes(new Uint8Array([1, 2, 3]))).toBeUndefined();
});
