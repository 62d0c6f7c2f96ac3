import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInLog } from './findInLog.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vise-find-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const find = (query: string, more: { caseSensitive?: boolean; limit?: number; signal?: AbortSignal } = {}) =>
  findInLog(join(folder, 't.log'), {
    query,
    caseSensitive: false,
    limit: 10,
    signal: new AbortController().signal,
    ...more,
  });
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test('finds lines as a person reads them: without colours, a progress line in its last state', async () => {
  write('t.log', 'one\r\n\u001b[31mtw\u001b[0mo\r\n10 %\r20 %\r99 %\r\nfour\r\nfive\r\n');
  expect(await find('two')).toEqual({
    ok: true,
    value: { total: 1, lines: [{ line: 2, text: 'two', before: ['one'], after: ['99 %', 'four'] }] },
  });
  expect(await find('10 %')).toEqual({ ok: true, value: { total: 0, lines: [] } });
});

test('C8: a found line carries no command to a terminal', async () => {
  write('t.log', 'x \u001b]52;c;aGVsbG8=\u0007needle\u001b]0;title\u0007\n');
  expect(await find('needle')).toMatchObject({ value: { lines: [{ text: 'x needle' }] } });
});

test('minds the case only where it is asked to', async () => {
  write('t.log', 'Error\nerror\n');
  expect([await find('ERROR'), await find('error', { caseSensitive: true })]).toMatchObject([
    { value: { total: 2 } },
    { value: { total: 1, lines: [{ line: 2 }] } },
  ]);
});

test('searches the older half of a rotated log first, and counts beyond the limit', async () => {
  write('t.1.log', 'hit 1\nhit 2\n');
  write('t.log', 'no\nhit 3');
  expect(await find('hit', { limit: 2 })).toEqual({
    ok: true,
    value: {
      total: 3,
      lines: [
        { line: 1, text: 'hit 1', before: [], after: ['hit 2', 'no'] },
        { line: 2, text: 'hit 2', before: ['hit 1'], after: ['no', 'hit 3'] },
      ],
    },
  });
});

test('a line of megabytes is searched in parts and shown around what was found', async () => {
  write('t.log', `${'x'.repeat(3_000_000)}needle${'y'.repeat(50)}\nlast\n`);
  const found = await find('needle');
  const text = found.ok ? (found.value.lines[0]?.text ?? '') : '';
  expect([text.length <= 400, text.includes('needle'), await find('last')]).toMatchObject([
    true,
    true,
    { value: { lines: [{ line: 2 }] } },
  ]);
});

test('a character that lies across two reads is read whole', async () => {
  write('t.log', `${'a'.repeat(256 * 1024 - 1)}\n${'b'.repeat(256 * 1024 - 2)}ö needle`);
  expect(await find('ö needle')).toMatchObject({ value: { total: 1 } });
});

test('stops where a newer search takes its place', async () => {
  write('t.log', 'x\n');
  expect(await find('x', { signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
});

test('a log that is gone has no lines', async () => {
  expect(await find('x')).toEqual({ ok: true, value: { total: 0, lines: [] } });
});
