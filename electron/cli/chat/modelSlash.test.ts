import { expect, test } from 'vitest';
import { askServer } from '../../engine/testing/serverBench.ts';
import { costSlash, effortSlash, modelSlash } from './modelSlash.ts';

const usage = { prompt_tokens: 1_000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
const models = { m: { efforts: ['low', 'high'], window: 128_000, price: { input: 100, cached: 10, output: 1_000 } } };

test('/model, /effort and /cost tell and change what the session asks', async () => {
  const { bench, session } = await askServer([{ text: 'Hi.', usage }], { provider: { models } });
  const talk = () => ({ started: { ...bench, close: async () => undefined }, state: session.mirror() });
  expect(await effortSlash('', talk())).toBe('effort: default; m: it has low, high');
  expect(await effortSlash('max', talk())).toBe('error: m has no effort "max": it has low, high.');
  expect(await effortSlash('high', talk())).toBe('effort: high; m: it has low, high');
  await session.say('Hi');
  expect(await costSlash(talk())).toBe(
    [
      'turn     1.0k tokens in (400 cached), 100 out · $0.164',
      'session  1.0k tokens in (400 cached), 100 out · $0.164',
      'today    1.0k tokens in (400 cached), 100 out · $0.164',
      'the cache has saved $0.036 in this session',
    ].join('\n'),
  );
  expect(await modelSlash('', talk())).toBe(
    'model: m · window 128k · $100.00 in, $1000.00 out for a million tokens · chat completions (default)',
  );
  // An effort of one model is none of another.
  expect(await modelSlash('other', talk())).toBe(
    'model: other · window unknown · price unknown · chat completions (default)',
  );
  expect(await effortSlash('default', talk())).toBe('effort: default; other: its levels are unknown');
});

test('/cost calls unknown what has no price, also where the rest of the day has one', async () => {
  const { bench, session } = await askServer(
    [
      { text: 'Hi.', usage },
      { text: 'Ho.', usage },
    ],
    { provider: { models } },
  );
  const talk = () => ({ started: { ...bench, close: async () => undefined }, state: session.mirror() });
  expect(await costSlash(talk())).toBe(
    'turn     0 tokens in, 0 out · $0\nsession  0 tokens in, 0 out · $0\ntoday    0 tokens in, 0 out · $0',
  );
  await modelSlash('other', talk());
  await session.say('Hi');
  const unknown = '1.0k tokens in (400 cached), 100 out · cost unknown';
  expect(await costSlash(talk())).toBe(`turn     ${unknown}\nsession  ${unknown}\ntoday    ${unknown}`);
  await modelSlash('m', talk());
  await session.say('Ho');
  const both = '2.0k tokens in (800 cached), 200 out · $0.164 + ?';
  expect(await costSlash(talk())).toContain(`session  ${both}\ntoday    ${both}`);
});
