import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { maxCaptureBytes, readOutput, readStream } from './taskOutput.ts';

function file(content: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'x.out'), content);
  return join(folder, 'x');
}

test('a character of which only the beginning has been written is no text yet, and whole in the next part', async () => {
  const emoji = Buffer.from('ab😀c');
  const base = file(emoji.subarray(0, 4));
  expect(await readStream(base, 'stdout', undefined, 0)).toEqual({ text: 'ab', totalChars: 2 });
  appendFileSync(`${base}.out`, emoji.subarray(4));
  expect(await readStream(base, 'stdout', undefined, 0)).toEqual({ text: 'ab😀c', totalChars: 4 });
});

test('stdout is the log as long as it has no file of its own, up to what is kept of a stream', async () => {
  const base = file(Buffer.from(''));
  rmSync(`${base}.out`);
  writeFileSync(`${base}.log`, 'all of it');
  const both = await readOutput(base, undefined, 0);
  writeFileSync(`${base}.out`, 'out');
  writeFileSync(`${base}.err`, 'err');
  const apart = await readOutput(base, undefined, 0);
  expect([both.stdout, both.stderr, apart.stdout, apart.stderr]).toEqual(['all of it', '', 'out', 'err']);
  rmSync(`${base}.out`);
  writeFileSync(`${base}.log`, 'x\n'.repeat(maxCaptureBytes));
  const { text } = await readStream(base, 'stdout', { bytes: 2 * maxCaptureBytes, chars: 2 * maxCaptureBytes }, 0);
  expect(text.length).toBe(maxCaptureBytes);
});

test('at the end it is a replacement character', async () => {
  const bytes = Buffer.from('ab😀').subarray(0, 4);
  expect(await readStream(file(bytes), 'stdout', { bytes: 4, chars: 3 }, 0)).toEqual({
    text: 'ab\ufffd',
    totalChars: 3,
  });
});

test('a mark of the byte order at the beginning is a part of what was written, in a long stream as in a short one', async () => {
  const bytes = Buffer.from('\ufeffa');
  expect([
    await readStream(file(bytes), 'stdout', { bytes: 4, chars: 2 }, 0),
    await readStream('none', 'stdout', { bytes: 4, chars: 2, whole: bytes.toString('base64') }, 0),
  ]).toEqual([
    { text: '\ufeffa', totalChars: 2 },
    { text: '\ufeffa', totalChars: 2 },
  ]);
});
