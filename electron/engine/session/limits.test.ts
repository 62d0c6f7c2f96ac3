import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer } from '../../../e2e/modelServer.ts';
import { followSession, testBench } from '../testing/engineForTest.ts';

type Ports = NonNullable<Parameters<typeof testBench>[1]>;

/** A session with a model whose window and prices the configuration tells. */
async function sessionWith(replies: readonly ServerReply[], facts: object, ports: Ports = {}, settings: object = {}) {
  const server = await startModelServer({ replies });
  onTestFinished(() => server.close());
  const bench = testBench({ 'a.txt': 'x'.repeat(4_000) }, { interactive: false, provider: { name: 'p' }, ...ports });
  const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
  mkdirSync(bench.ports.places.config, { recursive: true });
  const config = { providers: { p: block }, active_provider: 'p', models: { m: facts }, settings };
  writeFileSync(join(bench.ports.places.config, 'config.json'), JSON.stringify(config));
  const now = await bench.restart(); // the configuration is read when an engine begins
  const made = await now.client.call('session.create', { project: now.project, mode: 'direct' });
  if (!made.ok) throw new Error(made.error.message);
  const session = await followSession(now.client, made.value.session);
  return { server, session, client: now.client, id: made.value.session };
}

const read = { calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] };
const usage = { prompt_tokens: 1_000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
const price = { input: 100, cached: 10, output: 1_000 };
const bodies = ({ requests }: ModelServer) =>
  requests.map(
    ({ body }) => body as { readonly messages: readonly { content: unknown }[]; readonly reasoning_effort?: string },
  );

describe('a request that the provider refuses as too long', () => {
  const refusal: ServerReply = {
    status: 400,
    body: '{"error":{"message":"maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
  };

  test('is sent once more, shorter, and the person is told', async () => {
    const replies = [read, read, refusal, { text: 'summary' }, { text: 'Done.' }];
    const { server, session } = await sessionWith(replies, {});
    const said = await session.say('Read it twice, keep my words.');
    expect(said).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect((await session.next('notice')).code).toBe('compacted');
    const sent = bodies(server);
    const last = JSON.stringify(sent.at(-1));
    expect(last.length).toBeLessThan(JSON.stringify(sent.at(2)).length);
    expect(last).toContain('keep my words');
  });

  test('is refused for good when it cannot be made shorter, with what to do', async () => {
    const { session } = await sessionWith([refusal, refusal], {});
    const end = await session.say('Hi');
    expect(end).toMatchObject({
      type: 'turn.finished',
      outcome: 'failed',
      text: expect.stringMatching(/larger window/) as string,
    });
  });
});

test('a result larger than the window is clipped to fit', async () => {
  const { server, session } = await sessionWith([read, { text: 'Done.' }], { window: 2_000 });
  await session.say('Read it.');
  const results = bodies(server).at(-1)?.messages.at(-1);
  expect(String(results?.content).length).toBeLessThan(2_600);
});

describe('what is spent', () => {
  test('is told with each request, cached tokens at their own price', async () => {
    const { session } = await sessionWith([{ text: 'Hi', usage }], { price });
    await session.say('Hi');
    const told = await session.next('usage');
    expect(told).toMatchObject({ cost: 0.164, cachedInput: 400, usage: { saved: 0.036 } });
  });

  test('is told as unknown where no price is known', async () => {
    const { session } = await sessionWith([{ text: 'Hi', usage }], {});
    await session.say('Hi');
    expect(await session.next('usage')).toMatchObject({
      cost: null,
      contextLimit: 0,
    });
  });

  test('ends the turn at the cap of the session, with a clear word', async () => {
    const { server, session } = await sessionWith([{ ...read, usage }, { text: 'more' }], { price }, { maxCost: 0.1 });
    const end = await session.say('Read it.');
    expect(end).toMatchObject({
      outcome: 'blocked',
      error: { code: 'LIMIT_EXCEEDED' },
      text: expect.stringMatching(/\$0\.1640.*\$0\.1000/) as string,
    });
    expect(server.requests.length).toBe(1);
  });

  test('ends the turn at the cap of the day, over sessions', async () => {
    const made = await sessionWith([{ text: 'a', usage }, { text: 'b' }], { price }, {}, { spend: { day: 0.1 } });
    await made.session.say('One.');
    const other = await made.client.call('session.create', { project: made.session.mirror().project, mode: 'direct' });
    if (!other.ok) throw new Error(other.error.message);
    const second = await followSession(made.client, other.value.session);
    expect(await second.say('Two.')).toMatchObject({
      outcome: 'blocked',
      text: expect.stringMatching(/cap of a day/) as string,
    });
  });

  test('cannot be capped where no price is known: no request is sent', async () => {
    const { server, session } = await sessionWith([{ text: 'Hi' }], {}, { maxCost: 1 });
    const end = await session.say('Hi');
    expect(end).toMatchObject({ outcome: 'failed', text: expect.stringMatching(/price of m is unknown/) as string });
    expect(server.requests).toEqual([]);
  });

  test('asks the person at the cap, who may double it', async () => {
    const { session, client, id } = await sessionWith(
      [{ ...read, usage }, { text: 'Done.' }],
      { price },
      { interactive: true, maxCost: 0.1 },
    );
    const running = session.say('Read it.');
    const asked = await session.next('permission.asked');
    await client.call('permission.answer', { session: id, call: asked.call, decision: 'once', answer: 'yes' });
    expect(await running).toMatchObject({ outcome: 'done', text: 'Done.' });
    expect(session.mirror().maxCost).toBe(0.2);
  });

  test('a turn has so many requests and no more, in direct mode too', async () => {
    const many = Array.from({ length: 6 }, (_, index) => ({
      calls: [
        { tool: 'list_directory', input: { path: '.', recursive: index % 2 === 0 } },
        { tool: 'read_file', input: { filePath: `${index}` } },
      ],
    }));
    const { server, session } = await sessionWith(many, {}, {}, { agent: { maxRequests: 3 } });
    expect(await session.say('Go.')).toMatchObject({
      outcome: 'blocked',
      text: expect.stringMatching(/3 requests/) as string,
    });
    expect(server.requests.length).toBe(3);
  });
});

describe('the effort', () => {
  test('of the session goes with its requests, and of a phase before it', async () => {
    const facts = { efforts: ['low', 'high'] };
    const { server, session, client, id } = await sessionWith(
      [{ text: 'a' }, { text: 'b' }],
      facts,
      {},
      { agent: { phaseEffort: { EXPLORE: 'low' } } },
    );
    expect((await client.call('session.configure', { session: id, effort: 'high' })).ok).toBe(true);
    await session.say('One.');
    expect(bodies(server).map(({ reasoning_effort }) => reasoning_effort)).toEqual(['high']);
  });

  test('that a model does not have is refused with those that it has', async () => {
    const { client, id } = await sessionWith([], { efforts: ['low', 'high'] });
    expect(await client.call('session.configure', { session: id, effort: 'max' })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_INVALID', message: 'm has no effort "max": it has low, high.' },
    });
  });
});
