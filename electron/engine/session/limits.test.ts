import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelServer, type ServerReply, startModelServer } from '../../../e2e/modelServer.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import { followSession, testBench } from '../testing/engineForTest.ts';

type Ports = NonNullable<Parameters<typeof testBench>[1]>;

/** A session with a model whose window and prices the configuration tells. */
async function sessionWith(
  replies: readonly ServerReply[],
  facts: object,
  ports: Ports = {},
  settings: object = {},
  { mode = 'direct', models = {} }: { readonly mode?: Mode; readonly models?: object } = {},
) {
  const server = await startModelServer({ replies });
  onTestFinished(() => server.close());
  const bench = testBench({ 'a.txt': 'x'.repeat(4_000) }, { interactive: false, provider: { name: 'p' }, ...ports });
  const block = { llm_provider: 'openai_compatible', llm_base_url: server.url, llm_model: 'm', llm_api_key: 'k' };
  mkdirSync(bench.ports.places.config, { recursive: true });
  const config = { providers: { p: block }, active_provider: 'p', models: { m: facts, ...models }, settings };
  writeFileSync(join(bench.ports.places.config, 'config.json'), JSON.stringify(config));
  const now = await bench.restart(); // the configuration is read when an engine begins
  const made = await now.client.call('session.create', { project: now.project, mode });
  if (!made.ok) throw new Error(made.error.message);
  const session = await followSession(now.client, made.value.session);
  return { server, session, client: now.client, id: made.value.session };
}

const read = { calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] };
const usage = { prompt_tokens: 1_000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
const price = { input: 100, cached: 10, output: 1_000 };
const bodies = ({ requests }: ModelServer) =>
  requests.map(
    ({ body }) =>
      body as {
        readonly model: string;
        readonly messages: readonly { content: unknown }[];
        readonly reasoning_effort?: string;
      },
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
      text: expect.stringMatching(/\$0\.164.*\$0\.100/) as string,
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

  test('is added up by turn, session and day, cached tokens and savings with it', async () => {
    const { session, client } = await sessionWith(
      [
        { text: 'a', usage },
        { text: 'b', usage },
      ],
      { price },
    );
    await session.say('One.');
    await session.say('Two.');
    const today = await client.call('usage.today', {});
    const once = { requests: 1, input: 1_000, output: 100, cached: 400, cost: 0.164, saved: 0.036 };
    const twice = { requests: 2, input: 2_000, output: 200, cached: 800, cost: 0.328, saved: 0.072 };
    expect([session.mirror().turnUsage, session.mirror().usage]).toMatchObject([once, twice]);
    expect(today).toMatchObject({ value: { usage: { ...twice, saved: expect.closeTo(0.072) as number } } });
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
    // Twice what it had come to, or the next request would be asked about at once.
    expect(session.mirror().maxCost).toBe(0.328);
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
  const facts = { efforts: ['low', 'high'] };
  const asked = (server: ModelServer) => bodies(server).map((body) => [body.model, body.reasoning_effort]);
  const calls = (tool: string, input: object) => ({ calls: [{ tool, input }] });
  const twoPhases = [
    calls('report_findings', { key_findings: ['f'], relevant_files: ['a.txt'] }),
    { text: 'No plan.' },
  ];

  test('of the session goes with its requests', async () => {
    const { server, session, client, id } = await sessionWith([{ text: 'a' }], facts);
    expect((await client.call('session.configure', { session: id, effort: 'high' })).ok).toBe(true);
    await session.say('One.');
    expect(asked(server)).toEqual([['m', 'high']]);
  });

  test('of a phase comes before that of the session, and counts in the phased mode alone', async () => {
    const settings = { agent: { phaseEffort: { EXPLORING: 'low' } } };
    const phased = await sessionWith(twoPhases, facts, {}, settings, { mode: 'phased' });
    await phased.client.call('session.configure', { session: phased.id, effort: 'high' });
    await phased.session.say('One.');
    expect(asked(phased.server).slice(0, 2)).toEqual([
      ['m', 'low'],
      ['m', 'high'],
    ]);
    const direct = await sessionWith([{ text: 'a' }], facts, {}, settings);
    await direct.session.say('One.');
    expect(asked(direct.server)).toEqual([['m', undefined]]);
  });

  test('and the model of a phase: a cheaper one explores, with no level that it lacks', async () => {
    const settings = { agent: { phaseModel: { EXPLORING: { provider: 'p', model: 'small' } } } };
    const models = { small: { efforts: ['low'], window: 9_000 } };
    const made = await sessionWith(twoPhases, facts, {}, settings, { mode: 'phased', models });
    await made.client.call('session.configure', { session: made.id, effort: 'high' });
    await made.session.say('One.');
    expect(asked(made.server).slice(0, 2)).toEqual([
      ['small', undefined],
      ['m', 'high'],
    ]);
    expect((await made.session.next('usage')).contextLimit).toBe(9_000);
  });

  test('no other provider is asked because a phase names a model of it', async () => {
    const settings = { agent: { phaseModel: { EXPLORING: { provider: 'other', model: 'small' } } } };
    const made = await sessionWith(twoPhases, facts, {}, settings, { mode: 'phased' });
    await made.session.say('One.');
    expect(new Set(asked(made.server).map(([model]) => model))).toEqual(new Set(['m']));
  });

  test('that a model does not have is refused with those that it has', async () => {
    const { client, id } = await sessionWith([], { efforts: ['low', 'high'] });
    expect(await client.call('session.configure', { session: id, effort: 'max' })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_INVALID', message: 'm has no effort "max": it has low, high.' },
    });
  });
});
