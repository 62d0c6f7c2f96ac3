import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../base/port.ts';
import { AnswerReader } from '../wire/answerReader.ts';
import { ChatReply } from './chatReply.ts';

function read(pieces: Iterable<Uint8Array>): readonly ModelEvent[] {
  const found: ModelEvent[] = [];
  const emit = (event: ModelEvent) => {
    const last = found.at(-1);
    if (event.type === 'callDelta') return;
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) {
      found[found.length - 1] = { type: event.type, text: last.text + event.text };
    } else found.push(event);
  };
  const reader = new AnswerReader(
    new ChatReply({ emit, isTaken: () => false, newId: () => 'new', provider: 'test', model: 'm' }),
  );
  for (const piece of pieces) reader.push(piece);
  const failed = reader.end();
  return failed ? [...found, { type: 'failed', error: failed.failure }] : found;
}

const event = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
const end = (reason: string) => event({}, { finish_reason: reason });
const done = 'data: [DONE]\n\n';

const streams: Readonly<Record<string, string>> = {
  'text in several alphabets': event({ content: 'Grüße, 你好' }) + event({ content: ' 🌍!' }) + end('stop') + done,
  'CRLF and comments':
    `: hi\n\n${event({ content: 'a' })}: hi\n\n${event({ content: 'b' })}${end('stop')}${done}`.replaceAll(
      '\n',
      '\r\n',
    ),
  'reasoning and calls':
    event({ reasoning_content: 'Hm' }) +
    event({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"' } }] }) +
    event({
      tool_calls: [
        { index: 0, function: { arguments: 'ü"}' } },
        { index: 1, id: 'b', function: { name: 'g' } },
      ],
    }) +
    end('tool_calls') +
    'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}\n\n' +
    done,
  'no blank lines between events': (event({ content: 'a' }) + event({ content: 'b' }) + end('stop')).replaceAll(
    '\n\n',
    '\n',
  ),
  'a whole JSON body': `  ${JSON.stringify({ choices: [{ message: { content: 'a', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] } }] })}`,
  'an error in the middle': `${event({ content: 'a' })}data: {"error":{"message":"no","type":"bad"}}\n\n${done}`,
  'a named error event': `event: error\ndata: {"message":"no"}\n\n`,
  'parts of thinking and text':
    event({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'T' }] },
        { type: 'text', text: 'x' },
      ],
    }) + end('stop'),
  'reasoning details':
    event({
      reasoning_details: [
        { type: 'reasoning.text', text: 'T' },
        { type: 'reasoning.summary', summary: 'S' },
      ],
    }) + end('stop'),
};

/** Each event in a few characters, for the table. */
function signs(events: readonly ModelEvent[]): readonly string[] {
  return events.map((found) => {
    if (found.type === 'text' || found.type === 'reasoning') return `${found.type}: ${found.text}`;
    if (found.type === 'call') return `call ${found.id}: ${found.name}(${found.argumentsText})`;
    if (found.type === 'usage') return `usage: ${found.usage.input} in, ${found.usage.output} out`;
    if (found.type === 'finish') return `finish: ${found.reason}`;
    return found.type === 'failed' ? `failed: ${found.error.message}` : found.type;
  });
}

const expected: Readonly<Record<string, readonly string[]>> = {
  'text in several alphabets': ['text: Grüße, 你好 🌍!', 'finish: stop'],
  'CRLF and comments': ['text: ab', 'finish: stop'],
  'reasoning and calls': [
    'reasoning: Hm',
    'call a: f({"x":"ü"})',
    'call b: g()',
    'usage: 5 in, 7 out',
    'finish: calls',
  ],
  'no blank lines between events': ['text: ab', 'finish: stop'],
  'a whole JSON body': ['text: a', 'call c: f({})', 'finish: calls'],
  'an error in the middle': ['text: a', 'failed: Provider error: no'],
  'a named error event': ['failed: Provider error: no'],
  'parts of thinking and text': ['reasoning: T', 'text: x', 'finish: stop'],
  'reasoning details': ['reasoning: TS', 'finish: stop'],
};

describe('a reply', () => {
  test.each(Object.entries(streams))('with %s is the same however its bytes are cut', (name, stream) => {
    const bytes = Buffer.from(stream);
    const whole = read([bytes]);
    expect(signs(whole)).toEqual(expected[name]);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    }
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  test('is never whole before its finish reason', () => {
    const bytes = Buffer.from(streams['reasoning and calls'] ?? '');
    const finish = bytes.indexOf('"finish_reason":"');
    for (let at = 0; at <= finish; at += 1) expect(read([bytes.subarray(0, at)]).at(-1)?.type).toBe('failed');
  });

  test('joins the text of one packet', () => {
    let events = 0;
    const reader = new AnswerReader(
      new ChatReply({ emit: () => (events += 1), isTaken: () => false, newId: () => '', provider: 'test', model: 'm' }),
    );
    reader.push(Buffer.from(event({ content: 'a' }).repeat(100)));
    expect(events).toBe(1);
  });

  test.each(['data: ', '{"a":"'])('stops reading what begins with %s and never ends', (start) => {
    const piece = Buffer.alloc(1_000_000, 'x');
    const reader = new AnswerReader(
      new ChatReply({ emit: () => {}, isTaken: () => false, newId: () => '', provider: 'test', model: 'm' }),
    );
    let count = 0;
    for (reader.push(Buffer.from(start)); !reader.complete && count < 100; count += 1) reader.push(piece);
    expect([reader.complete, count < 40]).toEqual([true, true]);
  });
});
