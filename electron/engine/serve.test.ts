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
