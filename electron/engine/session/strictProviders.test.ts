import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Part } from '../../../e2e/providers/streams.ts';
import { startStrictServer } from '../../../e2e/providers/strictServer.ts';
import { followSession, type TestBench, testBench } from '../testing/engineForTest.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const files = {
  'a.txt': 'a line of a file of middling length\n'.repeat(120),
  'b.txt': 'other\n'.repeat(400),
  'p.png': png,
};

/** An engine with the providers `openai` and `anthropic`, both behind the strict server. */
async function strictBench(provider: string, model: string) {
  const server = await startStrictServer();
  onTestFinished(() => server.close());
  const bench = testBench(files, { provider: {}, allow: 'dangerous', interactive: false });
  const block = (name: string) => ({
    llm_provider: 'openai_compatible',
    llm_base_url: server.url,
    llm_model: name,
    llm_api_key: 'k-1234567',
  });
  const providers = { openai: block('gpt-5.5'), anthropic: block('claude-opus-5') };
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(
    join(bench.ports.places.config, 'config.json'),
    JSON.stringify({ providers, active_provider: provider }),
  );
  const now = await bench.restart(); // the configuration is read when an engine begins
  const made = await now.client.call('session.create', { project: now.project, mode: 'direct', provider, model });
  if (!made.ok) throw new Error(made.error.message);
  return {
    server,
    bench: now,
    id: made.value.session,
    follow: (of: TestBench) => followSession(of.client, made.value.session),
  };
}

const step = (round: number): readonly Part[] => [
  { reasoning: `Round ${round}: both files matter, ä ö.` },
  { text: `Round ${round}. `, phase: 'commentary' },
  { call: 'read_file', input: { filePath: round % 2 === 0 ? 'a.txt' : 'b.txt', startLine: round + 1 } },
  { call: 'read_file', input: { filePath: 'a.txt', startLine: round + 2 } },
  { call: 'write_file', input: { filePath: `out${round}.txt`, content: `round ${round}\n` } },
];
const closing: readonly Part[] = [{ reasoning: 'It is done.' }, { text: 'Done.', phase: 'final_answer' }];

test.each([
  ['openai', 'gpt-5.5', '/responses'],
  ['anthropic', 'claude-opus-5', '/messages'],
])(
  'every request of a long session over %s keeps the rules, and 85 % of its input is read from the cache',
  async (provider, model, path) => {
    const { server, bench, follow } = await strictBench(provider, model);
    const session = await follow(bench);
    for (let turn = 0; turn < 4; turn += 1) {
      server.play(...Array.from({ length: 9 }, (_, round) => step(turn * 9 + round)), closing);
      expect(await session.say(`Task ${turn}.`)).toMatchObject({ text: 'Done.' });
    }
    expect(server.broken).toEqual([]);
    expect(new Set(server.accepted.map((one) => one.path))).toEqual(new Set([`/v1${path}`]));
    expect(server.accepted.length).toBe(40);
    const sum = (of: 'input' | 'cached') => server.accepted.reduce((all, one) => all + one[of], 0);
    expect(sum('cached') / sum('input')).toBeGreaterThan(0.85);
    // The last request brings the reasoning of every earlier reply back.
    const last = JSON.stringify(server.accepted.at(-1)?.body);
    expect(last).toContain('Round 0: both files matter');
    expect(last).toContain('Round 34: both files matter');
  },
);

test.each([
  ['openai', 'gpt-5.5'],
  ['anthropic', 'claude-opus-5'],
])('signed reasoning of %s outlives the end of the engine', async (provider, model) => {
  const { server, bench, follow } = await strictBench(provider, model);
  server.play(step(1), closing);
  await (await follow(bench)).say('One.');
  const next = await bench.restart();
  server.play(step(2), closing);
  await (await follow(next)).say('Two.');
  expect(server.broken).toEqual([]);
  expect(JSON.stringify(server.accepted.at(-1)?.body)).toContain('Round 1: both files matter');
});

test('a session goes on when its model changes to another dialect and back, each seeing its own reasoning alone', async () => {
  const { server, bench, id, follow } = await strictBench('openai', 'gpt-5.5');
  const session = await follow(bench);
  const change = (provider: string, model: string) =>
    bench.client.call('session.configure', { session: id, provider, model });
  server.play(step(1), closing);
  await session.say('One.');
  await change('anthropic', 'claude-opus-5');
  server.play(step(2), closing);
  await session.say('Two.');
  await change('openai', 'gpt-5.5');
  server.play(step(3), closing);
  await session.say('Three.');
  expect(server.broken).toEqual([]);
  const bodies = server.accepted.map(({ path, body }) => [path, JSON.stringify(body)] as const);
  const [lastPath, last] = bodies.at(-1) ?? ['', ''];
  expect([
    lastPath,
    last.includes('Round 1: both'),
    last.includes('Round 2: both'),
    last.includes('Round 2. '),
  ]).toEqual(['/v1/responses', true, false, true]);
  const messages = bodies.findLast(([path]) => path === '/v1/messages')?.[1] ?? '';
  expect([
    messages.includes('Round 1: both'),
    messages.includes('Round 2: both'),
    messages.includes('Round 1. '),
  ]).toEqual([false, true, true]);
});

test('a model that refuses tools over chat is asked over Responses, now and ever after', async () => {
  const server = await startStrictServer();
  onTestFinished(() => server.close());
  const bench = testBench(files, { provider: {}, interactive: false });
  const block = {
    llm_provider: 'openai_compatible',
    llm_base_url: server.url,
    llm_model: 'new-thinker',
    llm_api_key: 'k-1234567',
  };
  mkdirSync(bench.ports.places.config, { recursive: true });
  writeFileSync(
    join(bench.ports.places.config, 'config.json'),
    JSON.stringify({ providers: { gateway: block }, active_provider: 'gateway' }),
  );
  const now = await bench.restart();
  const made = await now.client.call('session.create', {
    project: now.project,
    mode: 'direct',
    provider: 'gateway',
    model: 'new-thinker',
  });
  if (!made.ok) throw new Error(made.error.message);
  server.play(closing, closing);
  const session = await followSession(now.client, made.value.session);
  expect(await session.say('Hi')).toMatchObject({ text: 'Done.' });
  expect((await session.next('notice')).code).toBe('dialect_changed');
  const later = await now.restart();
  const again = await followSession(later.client, made.value.session);
  expect(await again.say('Again')).toMatchObject({ text: 'Done.' });
  expect(server.accepted.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
});
