import { describe, expect, test } from 'vitest';
import { callsOf } from '../../../shared/model/reduce.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { type TestSession, testBench } from '../testing/engineForTest.ts';
import { askServer } from '../testing/serverBench.ts';

const results = (session: TestSession): readonly string[] =>
  callsOf(session.mirror()).map(({ tool, result }) => `${tool} ${result?.success ? 'ok' : result?.error.code}`);
const hints = (session: TestSession): readonly string[] =>
  [...itemsOf(session.mirror().items)].flatMap((item) => (item.kind === 'system' && item.hint ? [item.hint] : []));

/** A streamed reply with one call whose arguments are cut. */
const unreadable = (index: number) => {
  const call = {
    index: 0,
    id: `c${index}`,
    type: 'function',
    function: { name: 'read_file', arguments: `{"filePath": "a${index}` },
  };
  const chunk = (delta: unknown, finish_reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return { raw: `${chunk({ role: 'assistant', tool_calls: [call] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n` };
};

describe('the guard against repeated calls', () => {
  test('ends a turn whose arguments can never be read', async () => {
    const { session } = await askServer(Array.from({ length: 8 }, (_, index) => unreadable(index)));
    expect(await session.say('Read.')).toMatchObject({ outcome: 'blocked', error: { code: 'LIMIT_EXCEEDED' } });
    expect(results(session)).toEqual([
      'read_file VALIDATION_ERROR',
      'read_file VALIDATION_ERROR',
      'read_file VALIDATION_ERROR',
      'read_file LIMIT_EXCEEDED',
    ]);
  });

  test('counts a refused call also of a tool that may be called again', async () => {
    const bench = testBench({}, { interactive: false });
    const ask = { calls: [{ tool: 'ask_user', input: { question: 'Which one?' } }] };
    const session = await bench.session([ask, ask, ask, ask, { text: 'never' }]);
    expect(await session.say('go')).toMatchObject({ outcome: 'blocked' });
    expect(results(session)[0]).toBe('ask_user NO_USER_AVAILABLE');
  });
});

describe('a call in the text of a model with native tools', () => {
  const call = '<tool_call>{"type":"tool_call","tool":"read_file","arguments":{"filePath":"a.txt"}}</tool_call>';

  test('is a call', async () => {
    const { session } = await askServer([{ text: `I read it. ${call}` }, { text: 'It says old.' }]);
    expect(await session.say('Read.')).toMatchObject({ outcome: 'done', text: 'It says old.' });
    expect(results(session)).toEqual(['read_file ok']);
  });

  test('that cannot be read is corrected, and never the answer', async () => {
    const broken = { text: '<tool_call>{"type":"tool_call","tool":"read_file","arguments":{</tool_call>' };
    const { session } = await askServer([broken, { text: 'All right.' }]);
    expect(await session.say('Read.')).toMatchObject({ outcome: 'done', text: 'All right.' });
    expect(hints(session)).toEqual(['malformed']);
    const stubborn = await askServer([broken, broken, { text: 'never' }]);
    expect(await stubborn.session.say('Read.')).toMatchObject({
      outcome: 'failed',
      error: { code: 'PROVIDER_BAD_RESPONSE' },
    });
  });

  test.each([
    ['JSON in a fence', '```json\n{"name":"read_file","arguments":{"filePath":"a.txt"}}\n```'],
    ['JSON', '{"name": "read_file", "arguments": {"filePath": "a.txt"}}'],
    ['a tag', '<function=read_file>\n<parameter=filePath>\na.txt\n</parameter>\n</function>'],
  ])('that is nothing else, as %s, is a call of an offered tool', async (_, text) => {
    const { session } = await askServer([{ text }, { text: 'It says old.' }]);
    expect(await session.say('Read.')).toMatchObject({ outcome: 'done', text: 'It says old.' });
    expect(results(session)).toEqual(['read_file ok']);
    const answer = text.replace('read_file', 'left-pad');
    const other = await askServer([{ text: answer }]);
    expect(await other.session.say('Which package?')).toMatchObject({ outcome: 'done', text: answer });
  });

  test('that is only shown in a fence is part of the answer', async () => {
    const text = `Write it like this:\n\n\`\`\`\n${call}\n\`\`\`\n`;
    const { session } = await askServer([{ text }]);
    expect(await session.say('How?')).toMatchObject({ outcome: 'done', text });
    expect(results(session)).toEqual([]);
  });
});

test('an answer that is cut at the length limit several times is kept whole', async () => {
  const part = (text: string, finishReason = 'length') => ({ text, finishReason });
  const { session } = await askServer([part('One, '), part('two, '), part('three, '), part('four.', 'stop')]);
  expect(await session.say('Count.')).toMatchObject({ outcome: 'done', text: 'One, two, three, four.' });
  expect(hints(session)).toEqual(['cut', 'cut', 'cut']);
});

test('an answer that is cut at the length limit for ever is kept, and told as cut', async () => {
  const { session } = await askServer(Array.from({ length: 20 }, () => ({ text: 'on ', finishReason: 'length' })));
  const { outcome, text, open } = await session.say('Count.');
  expect([outcome, text.trim().replaceAll(/on ?/g, ''), open]).toEqual([
    'incomplete',
    '',
    [expect.stringContaining('The answer is cut')],
  ]);
});
