import { expect, test } from 'vitest';
import type { Connection } from '../../shared/contract/connection.ts';
import { inMemoryPair } from '../../shared/contract/inMemoryPair.ts';
import { useConnection } from './connection.ts';
import { createReconnectingClient, delayBefore } from './reconnectingClient.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('pauses grow and stay below a bound', () => {
  expect([0, 1, 2, 5, 20].map(delayBefore)).toEqual([300, 600, 1200, 9600, 10_000]);
});

test('a lost connection is made again after a pause, and each one is counted', async () => {
  const hosts: Connection[] = [];
  const timers: { delayMs: number; run: () => void }[] = [];
  const link = createReconnectingClient({
    open() {
      const [client, host] = inMemoryPair();
      hosts.push(host);
      return client;
    },
    now: () => 1000,
    after(delayMs, run) {
      timers.push({ delayMs, run });
      return () => undefined;
    },
  });
  const before = useConnection.getState().generation;
  link.start(() => Promise.resolve(true));
  await settled();
  hosts[0]?.close('the engine ended');
  await settled();
  const lost = useConnection.getState();
  const refused = await link.client.call('workbench.watch', {});
  timers[0]?.run();
  await settled();
  const back = useConnection.getState();
  link.dispose();
  expect({ status: lost.status, reason: lost.reason, retryAt: lost.retryAt }).toEqual({
    status: 'lost',
    reason: 'the engine ended',
    retryAt: 1300,
  });
  expect(refused.ok).toBe(false);
  expect({ status: back.status, more: back.generation - before }).toEqual({ status: 'open', more: 2 });
});

test('an engine that does not answer counts as lost, and the next pause is longer', async () => {
  const delays: number[] = [];
  const link = createReconnectingClient({
    open: () => inMemoryPair()[0],
    now: () => 0,
    after(delayMs, run) {
      delays.push(delayMs);
      if (delays.length < 3) queueMicrotask(run);
      return () => undefined;
    },
  });
  link.start(() => Promise.resolve(false));
  await settled();
  link.dispose();
  expect(delays).toEqual([300, 600, 1200]);
});

test('listeners outlive the connection they were set on', async () => {
  const hosts: Connection[] = [];
  const timers: (() => void)[] = [];
  const heard: number[] = [];
  const link = createReconnectingClient({
    open() {
      const [client, host] = inMemoryPair();
      hosts.push(host);
      return client;
    },
    now: () => 0,
    after(_delayMs, run) {
      timers.push(run);
      return () => undefined;
    },
  });
  link.client.onEvent(({ seq }) => heard.push(seq));
  link.start(() => Promise.resolve(true));
  await settled();
  const fact = (seq: number) => ({
    kind: 'event',
    envelope: { seq, at: '', session: 's', event: { type: 'session.renamed', title: '' } },
  });
  hosts[0]?.post(fact(1));
  await settled();
  hosts[0]?.close('gone');
  await settled();
  timers[0]?.();
  await settled();
  hosts[1]?.post(fact(2));
  await settled();
  link.dispose();
  expect(heard).toEqual([1, 2]);
});
