import { describe, expect, test } from 'vitest';
import { SseDecoder } from './sseDecoder.ts';

function decode(...pieces: readonly string[]): readonly string[] {
  const events: string[] = [];
  const decoder = new SseDecoder((data, event) => events.push(event === '' ? data : `${event}|${data}`));
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return events;
}

describe('SseDecoder', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['no blank after the colon', 'data:a\n\n', ['a']],
    ['only one blank is dropped', 'data:  a\n\n', [' a']],
    ['comments', ': ping\n\ndata: a\n: ping\n\n', ['a']],
    ['event, id and retry lines', 'event: error\nid: 7\nretry: 10\ndata: a\n\ndata: b\n\n', ['error|a', 'b']],
    ['several data lines with CRLF', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
    ['several data lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['a data line without a colon', 'data\n\n', ['']],
    ['no blank line at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['an event without data', 'event: x\n\ndata: a\n\n', ['a']],
    ['unknown fields', 'foo: a\nbar\n\ndata: a\n\n', ['a']],
  ])('reads %s, however it is cut', (_, stream, expected) => {
    for (let at = 0; at <= stream.length; at += 1)
      expect(decode(stream.slice(0, at), stream.slice(at))).toEqual(expected);
    expect(decode(...stream)).toEqual(expected);
  });

  test('stops gathering an event that never ends', () => {
    const decoder = new SseDecoder(() => {});
    const piece = 'x'.repeat(1_000_000);
    for (let count = 0; count < 40; count += 1) decoder.push(piece);
    expect(decoder.tooLong).toBe(true);
  });
});
