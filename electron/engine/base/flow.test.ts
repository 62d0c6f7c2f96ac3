import { expect, test } from 'vitest';
import type { HostFrame } from '../../../shared/contract/frame.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createFlow } from './flow.ts';

const fact = (session: string, seq: number): HostFrame => ({
  kind: 'event',
  envelope: { seq, at: '', session, event: { type: 'session.renamed', title: '' } },
});
const answer: HostFrame = { kind: 'reply', id: 1, ok: true, value: {} };
const megabyte = 1024 * 1024;

function flowOver() {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const ended: string[] = [];
  let pending = 0;
  const connection = {
    post: (frame: unknown) => sent.push(frame),
    onFrame: () => undefined,
    onClose: () => undefined,
    close: () => undefined,
    pendingBytes: () => pending,
  };
  const flow = createFlow(connection, clock, (reason) => ended.push(reason));
  return { clock, sent, ended, flow, setPending: (bytes: number) => (pending = bytes) };
}

test('a window that does not read gets no facts until it has caught up, and then the last of each session', () => {
  const { clock, sent, ended, flow, setPending } = flowOver();
  flow.post(fact('a', 1));
  setPending(9 * megabyte);
  for (let seq = 2; seq < 500; seq += 1) flow.post(fact('a', seq));
  flow.post(fact('b', 7));
  flow.post(answer);
  expect(sent).toEqual([fact('a', 1), answer]);
  // Order is kept: nothing overtakes what it has missed.
  setPending(2 * megabyte);
  flow.post(fact('a', 500));
  clock.advance(200);
  expect(sent).toHaveLength(2);
  setPending(0);
  clock.advance(200);
  expect(sent.slice(2)).toEqual([fact('a', 500), fact('b', 7)]);
  flow.post(fact('a', 501));
  expect(sent.at(-1)).toEqual(fact('a', 501));
  expect([ended, clock.waiting]).toEqual([[], 0]);
});

test('a window that reads nothing for two minutes is let go, one that reads slowly is not', () => {
  const { clock, ended, flow, setPending } = flowOver();
  setPending(60 * megabyte);
  flow.post(fact('a', 1));
  for (let left = 60; left > 10; left -= 1) {
    setPending(left * megabyte);
    clock.advance(60_000);
  }
  expect(ended).toEqual([]);
  clock.advance(121_000);
  expect(ended).toEqual(['This window has read nothing for two minutes. Reload it to go on.']);
});

test('a window that asks and never reads is let go', () => {
  const { ended, flow, setPending, sent } = flowOver();
  setPending(65 * megabyte);
  flow.post(answer);
  expect([sent, ended]).toEqual([[], ['This window does not read what it asks for. Reload it to go on.']]);
});
