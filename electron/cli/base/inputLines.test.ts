import { expect, test } from 'vitest';
import { inputLines } from './inputLines.ts';

async function linesOf(chunks: readonly (Buffer | string)[], maxChars?: number): Promise<readonly unknown[]> {
  async function* input(): AsyncGenerator<Buffer | string> {
    yield* chunks;
  }
  const lines: unknown[] = [];
  for await (const line of inputLines(input(), maxChars)) lines.push(line);
  return lines;
}

test('lines come whole, however the stream is cut, characters included', async () => {
  const bytes = Buffer.from('{"a":"é中"}\r\n\nlast');
  const cuts = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  expect(await linesOf(cuts)).toEqual([{ text: '{"a":"é中"}\r' }, { text: '' }, { text: 'last' }]);
});

test('only a line feed ends a line: a JSON text may hold U+2028 and a lone CR', async () => {
  expect(await linesOf(['a\u2028b\rc\n'])).toEqual([{ text: 'a\u2028b\rc' }]);
});

test('a line that is too long is told in its place, and the next one is read', async () => {
  expect(await linesOf(['abc', 'def', 'gh\nok\n', '123456\n'], 5)).toEqual([
    { tooLong: true },
    { text: 'ok' },
    { tooLong: true },
  ]);
});

test('no input has no lines, and a closing line feed makes none', async () => {
  expect([await linesOf([]), await linesOf(['']), await linesOf(['a\n'])]).toEqual([[], [], [{ text: 'a' }]]);
});
