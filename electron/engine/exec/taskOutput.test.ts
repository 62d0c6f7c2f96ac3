import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readStream } from './taskOutput.ts';

function file(content: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'x.out'), content);
  return join(folder, 'x.out');
}

test('a character of which only the beginning has been written is no text yet, and whole in the next part', async () => {
  const emoji = Buffer.from('ab😀c');
  const path = file(emoji.subarray(0, 4));
  expect(await readStream(path, undefined, 0)).toEqual({ text: 'ab', totalChars: 2 });
  appendFileSync(path, emoji.subarray(4));
  expect(await readStream(path, undefined, 0)).toEqual({ text: 'ab😀c', totalChars: 4 });
});

test('at the end it is a replacement character', async () => {
  const bytes = Buffer.from('ab😀').subarray(0, 4);
  expect(await readStream(file(bytes), { bytes: 4, chars: 3 }, 0)).toEqual({ text: 'ab\ufffd', totalChars: 3 });
});

test('a mark of the byte order at the beginning is a part of what was written, in a long stream as in a short one', async () => {
  const bytes = Buffer.from('\ufeffa');
  expect([
    await readStream(file(bytes), { bytes: 4, chars: 2 }, 0),
    await readStream('none', { bytes: 4, chars: 2, whole: bytes.toString('base64') }, 0),
  ]).toEqual([
    { text: '\ufeffa', totalChars: 2 },
    { text: '\ufeffa', totalChars: 2 },
  ]);
});
