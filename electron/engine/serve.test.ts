import { expect, test } from 'vitest';
import type { Handlers } from './serve.ts';
import { serve } from './serve.ts';
import { ManualClock } from './testing/manualClock.ts';

/** A client of an engine without methods. */
function clientOver(more: { readonly post?: () => void; readonly close?: () => void } = {}) {
  const clock = new ManualClock();
  const ended: string[] = [];
  const warned: string[] = [];
  let say: (frame: unknown) => void = () => undefined;
  let leave: (reason: string) => void = () => undefined;
  const connection = {
    post: more.post ?? ((): void => undefined),
    onFrame(listen: (frame: unknown) => void) {
      say = listen;
    },
    onClose(listen: (reason: string) => void) {
      leave = listen;
    },
    close(reason: string) {
      ended.push(reason);
      more.close?.();
    },
  };
  const log = { warn: (what: string) => void warned.push(what) };
  const served = serve(connection, {} as Handlers, { clock, log });
  return { clock, ended, warned, served, say: (frame: unknown) => say(frame), leave: () => leave('gone') };
}

test('a clock that is set back closes no connection', () => {
  const { clock, ended, say } = clientOver();
  say({ kind: 'ack', channel: 1, bytes: 1 });
  clock.set(clock.now() - 3_600_000);
  for (let n = 0; n < 1_000; n += 1) say({ kind: 'ack', channel: 1, bytes: 1 });
  expect(ended).toEqual([]);
  for (let n = 0; n < 30_000; n += 1) say({ kind: 'ack', channel: 1, bytes: 1 });
  expect(ended).toEqual(['Too many frames in a short time.']);
});

test('a connection that cannot be written or closed ends itself at most', () => {
  const fail = (): never => {
    throw new Error('the socket is gone');
  };
  const { ended, warned, say, leave, served } = clientOver({ post: fail, close: fail });
  say('no frame at all');
  leave();
  served.dispose();
  expect(ended).toHaveLength(1);
  expect(warned.length).toBeGreaterThan(0);
});

test('S4: a client may send a burst and then what a window sends, and a long silence saves up no more', () => {
  const { clock, ended, say } = clientOver();
  const acknowledge = (times: number): void => {
    for (let n = 0; n < times; n += 1) say({ kind: 'ack', channel: 1, bytes: 1 });
  };
  clock.advance(3_600_000);
  acknowledge(20_000);
  clock.advance(1000);
  acknowledge(5000);
  expect(ended).toEqual([]);
  acknowledge(1);
  expect(ended).toEqual(['Too many frames in a short time.']);
});

test.each([
  ['bytes', new Uint8Array(1), 'A client sends no bytes.'],
  ['a call of a method that is not there', { kind: 'call', id: 1, method: 'no.such', input: {} }, 'no.such'],
  ['a frame of no known kind', { kind: 'order' }, 'does not fit the contract'],
])('%s closes the connection and says why', (_, frame, why) => {
  const { ended, say } = clientOver();
  say(frame);
  expect(ended).toEqual([expect.stringContaining(why)]);
});
