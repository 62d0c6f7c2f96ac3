import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelMessage } from '../model/base/port.ts';
import { createTokenCounter, type TokenCounter } from '../model/tokens/tokenCounter.ts';
import { testBench } from '../testing/engineForTest.ts';
import { compact } from './compaction.ts';
import { createContextCounter } from './contextCounter.ts';
import { createContextMeter } from './contextMeter.ts';

const call = { id: 'c', name: 'read_file', argumentsText: '{"filePath":"a.txt"}' };
const messages: readonly ModelMessage[] = [
  { role: 'user', text: 'What happened before, in short:\nWe looked.', origin: 'summary' },
  { role: 'user', text: 'Grüße, sieh nach: 你好', images: [{ mediaType: 'image/png', data: 'QUJD' }] },
  { role: 'assistant', text: 'I look.', calls: [call] },
  { role: 'tool', callId: 'c', text: 'old words' },
  { role: 'user', text: '(From Vise, not from the person) The reply was empty.', origin: 'vise' },
];
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];
const request = { system: 'Be brief.\nRULES', messages, tools, model: 'gpt-4o' };

function counted(): { readonly counter: TokenCounter; readonly asked: (readonly string[])[] } {
  const counter = createTokenCounter({ limitMs: 600_000 });
  onTestFinished(() => counter.dispose());
  const asked: (readonly string[])[] = [];
  return {
    asked,
    counter: {
      count(encoding, texts) {
        asked.push(texts);
        return counter.count(encoding, texts);
      },
      dispose: () => counter.dispose(),
    },
  };
}

test('a known tokenizer counts a request exactly, and says what fills the window', async () => {
  const { counter } = counted();
  const context = createContextCounter(createContextMeter(), () => counter);
  const kinds = {
    instructions: countTokens(request.system) - countTokens('RULES'),
    rules: countTokens('RULES'),
    tools: countTokens(JSON.stringify(tools)),
    summary: countTokens(messages[0]?.text ?? '') + 3,
    person: countTokens(messages[1]?.text ?? '') + 3 + 1_100,
    vise: countTokens(messages[4]?.text ?? '') + 3,
    replies: countTokens('I look.read_file{"filePath":"a.txt"}') + 3,
    results: countTokens('old words') + 3,
  };
  const tokens = Object.values(kinds).reduce((sum, part) => sum + part, 0);
  expect(await context.use(request, 'RULES', 128_000)).toEqual({
    tokens,
    limit: 128_000,
    counted: 'tokenizer',
    parts: Object.entries(kinds).map(([kind, part]) => ({ kind, tokens: part })),
  });
  expect(await context.exactly(request)).toBe(tokens + 6); // the marks of the system text and of the reply
});

test('only what is new is counted', async () => {
  const { counter, asked } = counted();
  const context = createContextCounter(createContextMeter(), () => counter);
  await context.exactly(request);
  await context.exactly(request);
  await context.exactly({ ...request, messages: [...messages, { role: 'user', text: 'And now?' }] });
  expect(asked.map((texts) => texts.length)).toEqual([7, 1]);
});

test('another tokenizer, or one that does not answer, gives an estimate that says so', async () => {
  const { counter } = counted();
  await counter.dispose();
  const context = createContextCounter(createContextMeter(), () => counter);
  for (const model of ['gpt-4o', 'deepseek-chat']) {
    expect(await context.exactly({ ...request, model })).toBeUndefined();
    expect(await context.use({ ...request, model }, 'RULES', 1)).toMatchObject({ counted: 'estimate' });
  }
});

test('the exact count decides about a compaction, and is asked for only when it is near', async () => {
  const bench = testBench({ 'a.txt': 'old' });
  const session = await bench.session(['One', 'Two', 'Three'].map((text) => ({ text: `${text} `.repeat(300) })));
  for (const text of ['First.', 'Second.', 'Third.']) await session.say(text);
  const live = bench.engine.sessions.live(session.id);
  if (!live) throw new Error('the session is not open');
  const meter = createContextMeter();
  const sent = { ...request, messages: [{ role: 'user', text: 'x'.repeat(4_000) }] as const };
  const estimated = meter.estimate(sent);
  const compacts = async (limit: number, exact: number | undefined) => {
    let asked = 0;
    const exactly = async () => {
      asked += 1;
      return exact;
    };
    const parts = {
      session: live.session,
      meter,
      exactly,
      limit: () => limit,
      asksModel: () => false,
      nowMs: () => 0,
      spend: () => undefined,
    };
    const client = { stream: () => ({ async *[Symbol.asyncIterator]() {} }), dispose: () => undefined };
    return { made: await compact(parts, client, sent, 't', new AbortController().signal), asked };
  };
  expect(await compacts(estimated * 2, 0)).toEqual({ made: false, asked: 0 });
  expect(await compacts(estimated * 1.1, estimated / 2)).toEqual({ made: false, asked: 1 });
  expect(await compacts(estimated * 1.5, estimated * 1.4)).toEqual({ made: true, asked: 1 });
});

test('a session tells what its next request would hold', async () => {
  const bench = testBench({ 'a.txt': 'old', 'AGENTS.md': 'Always be kind.' });
  const session = await bench.session([
    { calls: [{ tool: 'read_file', input: { filePath: 'a.txt' } }] },
    { text: 'Read.' },
  ]);
  await session.say('Read a.txt.');
  const answer = await bench.client.call('session.context', { session: session.id });
  if (!answer.ok) throw new Error(answer.error.message);
  const { tokens, counted: by, parts } = answer.value.use;
  expect(by).toBe('estimate'); // the scripted model has no tokenizer
  expect(tokens).toBe(parts.reduce((sum, part) => sum + part.tokens, 0));
  expect(parts.filter((part) => part.tokens > 0).map(({ kind }) => kind)).toEqual([
    'instructions',
    'rules',
    'tools',
    'person',
    'replies',
    'results',
  ]);
  expect(session.mirror().context).toMatchObject({ counted: 'provider' }); // what the script says it has used
});
