import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Part } from '../../../e2e/providers/streams.ts';
import { startStrictServer } from '../../../e2e/providers/strictServer.ts';
import type { Mode } from '../../../shared/model/phase.ts';
import { followSession, type TestBench, testBench } from '../testing/engineForTest.ts';

const commandLine = join(import.meta.dirname, '..', '..', 'cli.ts');
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
async function strictBench(
  provider: string,
  model: string,
  {
    mode = 'direct',
    models = {},
    asks = false,
  }: { readonly mode?: Mode; readonly models?: object; readonly asks?: boolean } = {},
) {
  const server = await startStrictServer();
  onTestFinished(() => server.close());
  const bench = testBench(files, { provider: {}, allow: asks ? 'none' : 'dangerous', interactive: asks });
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
    JSON.stringify({ providers, active_provider: provider, models }),
  );
  const now = await bench.restart(); // the configuration is read when an engine begins
  const made = await now.client.call('session.create', { project: now.project, mode, provider, model });
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

test('a session goes on when its model changes to another dialect while a call of a reply waits, and back again', async () => {
  const { server, bench, id, follow } = await strictBench('openai', 'gpt-5.5', { asks: true });
  const session = await follow(bench);
  server.play(step(1), step(2), step(3), closing);
  await session.send('Write three files.');
  for (const [provider, model] of [
    ['anthropic', 'claude-opus-5'],
    ['openai', 'gpt-5.5'],
    ['anthropic', 'claude-opus-5'],
  ] as const) {
    const { call } = await session.next('permission.asked');
    await bench.client.call('session.configure', { session: id, provider, model });
    await bench.client.call('permission.answer', { session: id, call, decision: 'once' });
  }
  expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
  expect(server.broken).toEqual([]);
  expect(server.accepted.map(({ path }) => path)).toEqual([
    '/v1/responses',
    '/v1/messages',
    '/v1/responses',
    '/v1/messages',
  ]);
  const last = JSON.stringify(server.accepted.at(-1)?.body);
  const seen = [1, 2, 3].map((round) => [last.includes(`Round ${round}: both`), last.includes(`round ${round}`)]);
  expect(seen).toEqual([
    [false, true],
    [true, true],
    [false, true],
  ]);
});

test.each([
  ['openai', 'gpt-5.5'],
  ['anthropic', 'claude-opus-5'],
])(
  'a session with signed reasoning of %s goes on after kill -9 at any request',
  { timeout: 60_000 },
  async (provider, model) => {
    for (const killAfter of [2, 4]) {
      const { server, bench } = await strictBench(provider, model);
      await bench.engine.close();
      server.play(...[1, 2, 3, 4].map(step), closing);
      const exec = (...words: readonly string[]) => {
        const flags = ['--project', bench.project, '--mode', 'direct', '--allow', 'dangerous', ...words];
        const env = { ...process.env, VISE_HOME: bench.home };
        return spawn(process.execPath, [commandLine, 'exec', ...flags], { env, stdio: 'ignore' });
      };
      const killed = exec('Write four files.');
      const ended = once(killed, 'exit');
      while (server.accepted.length < killAfter) await new Promise((resolve) => setTimeout(resolve, 2));
      killed.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
      const [code] = (await once(exec('--continue', 'Go on.'), 'exit')) as [number];
      expect([code, server.broken]).toEqual([0, []]);
      // What a request brought back before the end is brought back after it.
      const last = JSON.stringify(server.accepted.at(-1)?.body);
      for (let round = 1; round < killAfter; round += 1) expect(last).toContain(`Round ${round}: both files matter`);
      expect([last.includes('Write four files.'), last.includes('Go on.')]).toEqual([true, true]);
    }
  },
);

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

const call = (name: string, input: unknown): Part => ({ call: name, input });
const thought = (about: string): Part => ({ reasoning: `I think about ${about}, ä ö.` });

/** A task in phases, ten requests: explored, planned, two files edited, one fault of an edit, checked, told. */
function phasedTask(task: number): readonly (readonly Part[])[] {
  const path = `src${task}.txt`;
  return [
    [thought('where'), call('read_file', { filePath: 'a.txt', startLine: task + 1 }), call('list_directory', {})],
    [
      thought('what'),
      call('read_file', { filePath: 'p.png' }),
      call('read_file', { filePath: 'b.txt', startLine: task + 1 }),
    ],
    [thought('more'), call('grep_search', { pattern: `other${task}` })],
    [thought('facts'), call('report_findings', { key_findings: ['two files'], relevant_files: ['a.txt'] })],
    [
      thought('steps'),
      call('report_plan', {
        steps: [
          { intent: 'write', target_files: [path] },
          { intent: 'change', target_files: [path] },
        ],
      }),
    ],
    [
      thought('write'),
      { text: 'I write it.', phase: 'commentary' },
      call('write_file', { filePath: path, content: 'one\ntwo\n' }),
    ],
    [thought('miss'), call('edit_file', { filePath: path, oldStr: 'three', newStr: 'x' })],
    [thought('change'), call('edit_file', { filePath: path, oldStr: 'two', newStr: `TWO ${task}` })],
    [thought('check'), call('report_done', { summary: 'It is changed.' })],
    closing,
  ];
}

test.each([
  ['openai', 'gpt-5.5', 400_000],
  ['anthropic', 'claude-opus-5', 400_000],
  ['openai', 'gpt-5.5', 14_000],
  ['anthropic', 'claude-opus-5', 14_000],
])(
  'a long phased session over %s (%s) with edits and pictures in a window of %d keeps the rules, and 85 percent of its input is read from the cache',
  async (provider, model, window) => {
    const facts = { window, pictures: true };
    const { server, bench, id, follow } = await strictBench(provider, model, {
      mode: 'phased',
      models: { [model]: facts },
    });
    const session = await follow(bench);
    const image = { session: id, base64: png.toString('base64'), mediaType: 'image/png' };
    const stored = await bench.client.call('image.store', image);
    if (!stored.ok) throw new Error(stored.error.message);
    const attachments = [{ kind: 'image' as const, content: stored.value.id, mediaType: 'image/png' }];
    for (let task = 0; task < 4; task += 1) {
      server.play(...phasedTask(task));
      await bench.client.call('session.send', { session: id, text: `Task ${task}: see the picture.`, attachments });
      expect(await session.next('turn.finished')).toMatchObject({ outcome: 'done', text: 'Done.' });
      expect(bench.file(`src${task}.txt`)).toBe(`one\nTWO ${task}\n`);
    }
    expect(server.broken).toEqual([]);
    const isSmall = window < 20_000;
    expect(server.accepted.length).toBeGreaterThanOrEqual(40);
    expect(session.heard.some(({ event }) => event.type === 'context.compacted')).toBe(isSmall);
    const sum = (of: 'input' | 'cached') => server.accepted.reduce((all, one) => all + one[of], 0);
    expect(sum('cached') / sum('input')).toBeGreaterThan(0.85);
    expect(JSON.stringify(server.accepted.at(-1)?.body)).toContain(png.toString('base64'));
  },
);
