import { describe, expect, test } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { callsOf } from '../../../shared/model/reduce.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import type { TestBench, TestSession } from '../testing/engineForTest.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { askServer as ask } from '../testing/serverBench.ts';

const read = { tool: 'read_file', input: { filePath: 'a.txt' } };
const insert = { tool: 'insert_at', input: { filePath: 'a.txt', lineNumber: 1, content: 'new' } };
const results = (session: TestSession): readonly string[] =>
  callsOf(session.mirror()).map(({ tool, result }) => `${tool} ${result?.success ? 'ok' : result?.error.code}`);
const types = (session: TestSession): readonly string[] => session.heard.map(({ event }) => event.type);
/** Lets the announced wait pass. It begins a few steps after the announcement; nothing else is timed meanwhile. */
const passWait = async (clock: ManualClock, waitMs: number): Promise<void> => {
  for (let i = 0; i < 10; i += 1) await new Promise((go) => setImmediate(go));
  clock.advance(waitMs);
};
const proceed = (bench: TestBench, session: TestSession) =>
  bench.client.call('session.continue', { session: session.id });

describe('N3 a provider that fails in a turn', () => {
  test('429: a countdown is shown and the same turn goes on after it', async () => {
    const clock = new ManualClock();
    clock.set(clock.now() + 86_400_000); // the time of day is not the one that waits are measured by
    const { session } = await ask(
      [{ calls: [read] }, { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' }, { text: 'Done.' }],
      { ports: { clock } },
    );
    await session.send('Read.');
    const notice = await session.next('notice');
    expect(notice).toMatchObject({ level: 'warning', code: 'retry' });
    expect(Date.parse(notice.until ?? '') - clock.now()).toBe(7_000);
    await passWait(clock, 7_000);
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(results(session)).toEqual(['read_file ok']);
    expect(types(session).filter((type) => type === 'turn.started')).toHaveLength(1);
  });

  test('a stream cut in the middle: what was shown is taken back, and no tool runs twice', async () => {
    const clock = new ManualClock();
    const whole: ServerReply = { text: 'I insert a line here.', chunk: 3, calls: [insert] };
    const { session, bench } = await ask([{ ...whole, fault: 'cut', cutAfter: 900 }, whole, { text: 'Done.' }], {
      ports: { clock },
    });
    await session.send('Insert.');
    await session.next('text.restarted');
    await session.next('notice');
    await passWait(clock, 2_000);
    expect((await session.next('turn.finished')).outcome).toBe('done');
    expect(results(session)).toEqual(['insert_at ok']);
    expect(bench.file('a.txt')).toBe('new\nold');
    const texts = [...itemsOf(session.mirror().items)].flatMap((item) =>
      item.kind === 'assistant' ? [item.text] : [],
    );
    expect(texts).toEqual(['I insert a line here.', 'Done.']);
  });

  test('a page instead of a reply: the failure is clear, and the session goes on when asked to', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><title>Login</title></html>' };
    const { session, bench, server } = await ask([{ calls: [insert] }, page], {
      provider: { llm_retries: 0 },
    });
    const end = await session.say('Insert.');
    expect(end.outcome).toBe('failed');
    expect(end.error?.code).toMatch(/^PROVIDER_/);
    expect(end.text).not.toBe('');
    expect(server.requests).toHaveLength(2);
    server.play({ text: 'Done.' });
    expect((await proceed(bench, session)).ok).toBe(true);
    expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(results(session)).toEqual(['insert_at ok']);
    expect(bench.file('a.txt')).toBe('new\nold');
  });

  test('a stop closes the connection at once', async () => {
    const { session, bench, server } = await ask([{ text: 'x', fault: 'hang' }]);
    await session.send('Wait.');
    await server.request(1);
    await bench.client.call('session.stop', { session: session.id });
    expect((await session.next('turn.finished')).outcome).toBe('cancelled');
    await server.aborted(1);
  });

  test('what waits in the queue is not sent into the same wall', async () => {
    const { session, bench, server } = await ask([{ calls: [{ tool: 'ask_user', input: { question: 'Which?' } }] }], {
      provider: { llm_retries: 0 },
    });
    await session.send('Begin.');
    const { call } = await session.next('permission.asked');
    await session.send('Later.');
    server.play({ status: 401, body: 'no key' }, { text: 'never' });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once', answer: 'this' });
    expect((await session.next('turn.finished')).outcome).toBe('failed');
    expect(server.requests).toHaveLength(2);
  });
});
