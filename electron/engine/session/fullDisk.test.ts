import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { fail, ok } from '../../../shared/result.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { silentLog } from '../testing/silentLog.ts';
import { started } from '../testing/startedEvent.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createAgent } from './agent.ts';
import type { Journal } from './journal.ts';
import { createSession } from './session.ts';

test('on a full disk a turn that cannot go on says so and what to do, as a failure and not as a fault of Vise', async () => {
  const heard: SessionEvent[] = [];
  const journal: Journal = {
    sizeBytes: 0,
    append(envelopes) {
      if (envelopes.some(({ event }) => event.type === 'turn.finished'))
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
    durable: async () => undefined,
    close: () => undefined,
  };
  const publish = ({ event }: { readonly event: SessionEvent }): void => void heard.push(event);
  const session = createSession({ id: 's', folder: testFolder(), journal, clock: new ManualClock(), publish });
  session.emit(started);
  const agent = createAgent({
    session,
    log: silentLog,
    turnDeps: async () => fail('UNAVAILABLE', 'no model'),
    maxIterations: () => 1,
    attach: async (_text, attachments) => ok(attachments),
    material: async () => ok(''),
  });
  await agent.send('one');
  await agent.rest();
  expect(heard.at(-1)).toMatchObject({
    type: 'turn.finished',
    error: {
      code: 'DISK_FULL',
      message:
        'The turn could not go on: ENOSPC: no space left on device, write. The disk is full. Make room, then try again.',
    },
  });
});

test('on a full disk a message that cannot be begun after a turn stays queued, and the session says so', async () => {
  let isFull = false;
  const heard: SessionEvent[] = [];
  const journal: Journal = {
    sizeBytes: 0,
    append(envelopes) {
      // The last free bytes took the end of the turn.
      if (isFull && envelopes.some(({ event }) => event.type === 'message.unqueued'))
        throw new Error('ENOSPC: no space left on device');
    },
    durable: async () => undefined,
    close: () => undefined,
  };
  const clock = new ManualClock();
  const publish = ({ event }: { readonly event: SessionEvent }): void => void heard.push(event);
  const session = createSession({ id: 's', folder: testFolder(), journal, clock, publish });
  session.emit(started);
  const held = Promise.withResolvers<void>();
  const agent = createAgent({
    session,
    log: silentLog,
    turnDeps: async () => {
      await held.promise;
      return fail('UNAVAILABLE', 'no model');
    },
    maxIterations: () => 1,
    attach: async (_text, attachments) => ok(attachments),
    material: async () => ok(''),
  });
  expect((await agent.send('one')).ok).toBe(true);
  expect((await agent.send('two')).ok).toBe(true);
  isFull = true;
  held.resolve();
  await agent.rest();
  expect(heard.slice(-2)).toMatchObject([
    { type: 'turn.finished', outcome: 'failed' },
    { type: 'notice', code: 'not_kept' },
  ]);
  expect([agent.running, session.state.queue.map(({ text }) => text)]).toEqual([false, ['two']]);
  isFull = false;
  expect((await agent.send('three')).ok).toBe(true);
  await agent.rest();
  expect(session.state.queue).toEqual([]);
});
