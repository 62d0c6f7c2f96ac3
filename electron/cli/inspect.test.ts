import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

async function inspect(what: string, stdin: string): Promise<{ readonly code: number; readonly lines: unknown[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'vise-inspect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const io = createTestIo(folder, stdin, { VISE_HOME: join(folder, 'home') });
  const code = await main(['inspect', what, '-'], io);
  expect(io.printed.err).toBe('');
  const lines = io.printed.out.split('\n').slice(0, -1);
  return { code, lines: lines.map((line) => JSON.parse(line) as unknown) };
}

const error = (message: string): object => ({
  error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) as unknown },
});

test('a line that cannot be read is answered in its place, and the lines after it are read', async () => {
  const input = [
    '{bad',
    '',
    '[]',
    '{}',
    '{"path":7,"size":1}',
    '{"path":"a.ts","size":3,"more":1}\r',
    '{"path":"a","size":0}',
  ];
  expect(await inspect('init', input.join('\n'))).toEqual({
    code: 2,
    lines: [
      error('not valid JSON'),
      error('not a JSON object'),
      error('path is a text'),
      error('path is a text'),
      { score: 2 },
      { score: 0 },
    ],
  });
});

test('no line is no fault', async () => {
  expect(await inspect('shell', '')).toEqual({ code: 0, lines: [] });
});

test.each([
  ['cols', { cols: 0 }],
  ['cols', { cols: 1e308 }],
  ['cols', { cols: '80' }],
  ['rows', { rows: -1 }],
  ['rows', { rows: 2.5 }],
])('a screen that cannot be is told: %s', async (name, size) => {
  const line = JSON.stringify({ bytes: 'aGk=', ...size });
  expect(await inspect('terminal', line)).toEqual({
    code: 2,
    lines: [error(`${name} is a whole number from 1 to 1000`)],
  });
});

test('a screen has 80 columns and 24 rows unless it is said otherwise, and wants base64', async () => {
  const { code, lines } = await inspect('terminal', '{"bytes":"aGk="}\n{"bytes":"§"}');
  expect({ code, lines }).toEqual({ code: 2, lines: [{ text: `hi${'\n'.repeat(23)}` }, error('base64')] });
});

test.each([
  [{ stdout: 'x', output: 5 }, 'output: Must be an object'],
  [{ stdout: 'x', output: { format: 'xml' } }, 'output.format: Must be one of'],
  [{ stdout: 'x', output: { format: 'json', jsonPath: 5 } }, 'output.jsonPath: Must be a string'],
  [{ output: { format: 'text' } }, 'stdout is a text'],
])('what a program printed wants a format that there is: %j', async (line, message) => {
  expect(await inspect('output', JSON.stringify(line))).toEqual({ code: 2, lines: [error(message)] });
});

test('a name that no program has makes no spec, and no crash', async () => {
  const line = JSON.stringify({ text: 'Usage: x', name: 'x'.repeat(100_000), version: '1' });
  expect(await inspect('help', line)).toMatchObject({ code: 0, lines: [{ error: { code: 'CONFIG_INVALID' } }] });
});

test.each(['pseudo', 'shell', 'reply', 'help', 'spec', 'output', 'init', 'terminal'])(
  'the help of %s has an example that is answered',
  async (what) => {
    const io = createTestIo(tmpdir());
    expect(await main(['inspect', what, '--help'], io)).toBe(0);
    const line = /^Example: echo '(.*)' \| vise inspect \w+ -$/m.exec(io.printed.out)?.[1] ?? '';
    const { code, lines } = await inspect(what, `${line}\n`);
    expect([code, lines.length]).toEqual([0, 1]);
  },
);
