import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashInputs, isStale, markBuilt } from './stale.ts';

const part = { name: 'part', entries: [], inputs: ['source', 'alone.json'], outputs: ['made.js'] };
let root = '';

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stale-'));
  write('source/deep/a.ts', 'a');
  write('alone.json', '{}');
  write('out/made.js', 'made');
  markBuilt(root, part, hashInputs(root, part));
});

afterEach(() => rmSync(root, { recursive: true }));

test('what was just built is not stale', () => {
  expect(isStale(root, part)).toBe(false);
});

test.each([
  ['a changed file', 'source/deep/a.ts', 'b'],
  ['a new file', 'source/b.ts', ''],
  ['a file that stands alone', 'alone.json', '[]'],
])('%s makes the part stale', (_, path, text) => {
  write(path, text);
  expect(isStale(root, part)).toBe(true);
});

test('a changed test leaves the part as it is', () => {
  write('source/deep/a.test.ts', 'test');
  expect(isStale(root, part)).toBe(false);
});

test('a missing output makes the part stale', () => {
  rmSync(join(root, 'out/made.js'));
  expect(isStale(root, part)).toBe(true);
});

test('text that moves from one file to the next makes the part stale', () => {
  write('source/deep/a.ts', '');
  write('source/deep/b.ts', 'a');
  expect(isStale(root, part)).toBe(true);
});
