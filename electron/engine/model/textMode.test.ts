import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manualClock.ts';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import type { ModelClient, ModelMessage, ModelRequest } from './base/port.ts';
import { readScript } from './script.ts';
import { ScriptedClient } from './scripted.ts';
import { TextModeClient } from './textMode.ts';

const prompted = (tool: string, given: object = {}) =>
  `<tool_call>${JSON.stringify({ type: 'tool_call', tool, arguments: given })}</tool_call>`;

/** A scripted model that remembers what it was asked. */
function model(...texts: readonly string[]) {
  const read = readScript(JSON.stringify({ replies: texts.map((text) => ({ text, chunk: 3 })) }), 's');
  const inner = new ScriptedClient(read.ok ? read.value : [], new ManualClock());
  const asked: ModelRequest[] = [];
  const recording: ModelClient = {
    stream(request, signal) {
      asked.push(request);
      return inner.stream(request, signal);
    },
    dispose() {},
  };
  const malformed: string[] = [];
  let ids = 0;
  const client = new TextModeClient(recording, {
    dialect: 'tolerant',
    onMalformed: ({ error }) => malformed.push(error),
    newId: () => `id${(ids += 1)}`,
  });
  return {
    asked,
    malformed,
    ask: async (request = sampleRequest) =>
      (await allEvents(client.stream(request, new AbortController().signal))).filter((event) => event.type !== 'usage'),
  };
}

describe('text mode', () => {
  test('offers the tools in the system prompt and finds the calls in the reply', async () => {
    const { ask, asked } = model(`I look.\n${prompted('read_file', { path: 'a' })}`);
    expect(await ask()).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'call', id: 'id1', name: 'read_file', argumentsText: '{"path":"a"}' },
      { type: 'finish', reason: 'calls' },
    ]);
    expect(asked[0]?.tools).toEqual([]);
    expect(asked[0]?.system).toContain('Be brief.\n\n## Tools');
    expect(asked[0]?.system).toContain('- read_file: Reads.');
  });

  test('gives prose through as it is, code and links included', async () => {
    const text = 'Use `a < b` and [this](https://x.org), e.g.\n```ts\nf<T>();\n```\nDone.';
    expect(await model(text).ask()).toEqual([
      { type: 'text', text },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('keeps thoughts apart', async () => {
    expect(await model('<think>Hm.</think>\nYes.').ask()).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('asks again with the exact error, twice, the second time shorter', async () => {
    const { ask, asked, malformed } = model(
      '<tool_call>{"type":"x"}</tool_call>',
      '<tool_call>{"a"</tool_call>',
      prompted('f'),
    );
    const events = await ask();
    expect(events.map((event) => event.type)).toEqual(['restart', 'notice', 'restart', 'notice', 'call', 'finish']);
    expect(malformed).toEqual(['unknown_type', 'json_decode_error']);
    const [, second, third] = asked.map((request) =>
      request.messages.map((message) => `${message.role}: ${message.text}`),
    );
    expect(second?.slice(0, 2)).toEqual(['user: Hi', 'assistant: <tool_call>{"type":"x"}</tool_call>']);
    expect(second?.[2]).toMatch(/^system: .*unknown_type/);
    expect(third?.[1]).toBe('assistant: <tool_call>{"a"</tool_call>');
    expect(third?.length).toBe(3);
  });

  test('gives up after three attempts with the raw text and the error', async () => {
    const bad = 'So: <tool_call>{</tool_call>';
    const { ask, asked } = model(bad, bad, bad, bad);
    expect((await ask()).slice(-2)).toEqual([
      { type: 'text', text: bad },
      { type: 'finish', reason: 'stop', malformed: 'json_decode_error' },
    ]);
    expect(asked.length).toBe(3);
  });

  test.each([
    'Look: [TOOL_CALLS]read_file[ARGS]{"path":"a"}',
    'Look: <｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜>',
    'Look: <invoke name="read_file"><parameter name="path">a</parameter></invoke>',
  ])('shows nothing of a call before it takes it back: %s', async (text) => {
    const inner: ModelClient = {
      async *stream() {
        for (const character of text) yield { type: 'text', text: character };
        yield { type: 'finish', reason: 'stop', raw: 'stop' };
      },
      dispose() {},
    };
    const client = new TextModeClient(inner, { dialect: 'tolerant', newId: () => 'c' });
    const events = await allEvents(client.stream(sampleRequest, new AbortController().signal));
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('Look:');
    expect(events.some(({ type }) => type === 'restart')).toBe(false);
    expect(events).toContainEqual({ type: 'call', id: 'c', name: 'read_file', argumentsText: '{"path":"a"}' });
  });

  test('does not correct a reply that a limit or a filter has emptied', async () => {
    const inner: ModelClient = {
      async *stream() {
        yield { type: 'finish', reason: 'filter', raw: 'content_filter' };
      },
      dispose() {},
    };
    const client = new TextModeClient(inner, { dialect: 'tolerant' });
    expect(await allEvents(client.stream(sampleRequest, new AbortController().signal))).toEqual([
      { type: 'finish', reason: 'filter', raw: 'content_filter' },
    ]);
  });

  test('writes earlier calls and results as text, once each', async () => {
    const { ask, asked } = model('a', 'b');
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'I look.', calls: [{ id: 'c', name: 'read_file', argumentsText: '{"path":"a"}' }] },
      { role: 'tool', callId: 'c', text: '{"success":false,"error":{"code":"FILE_NOT_FOUND","message":"No a."}}' },
    ];
    for (let turn = 0; turn < 2; turn += 1) await ask({ ...sampleRequest, messages });
    expect(asked[0]?.messages).toEqual([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: `I look.\n${prompted('read_file', { path: 'a' })}` },
      {
        role: 'user',
        text: '--- tool call result ---\n{"arguments":{"path":"a"},"error":"No a.","next_hint":"inspect_error_or_report_blocked","ok":false,"report":null,"result":{"error":{"code":"FILE_NOT_FOUND","message":"No a."},"success":false},"tool":"read_file"}',
      },
    ]);
    expect(asked[1]?.messages.every((message, index) => message === asked[0]?.messages[index])).toBe(true);
  });
});
