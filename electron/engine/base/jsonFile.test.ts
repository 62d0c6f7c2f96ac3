import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readJsonFile, updateJsonFile } from './jsonFile.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-json-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('processes that change one file at once lose no change, and leave no lock', { timeout: 60_000 }, async () => {
  const path = join(tempFolder(), 'config.json');
  const script = `const { updateJsonFile } = await import(${JSON.stringify(join(import.meta.dirname, 'jsonFile.ts'))});
    for (let n = 0; n < 10; n += 1) updateJsonFile(process.argv[1], (value) => ({ ...value, [process.argv[2] + n]: n }));`;
  const run = (name: string): Promise<number | null> =>
    new Promise((resolve) => {
      const args = ['--input-type=module', '-e', script, path, name];
      spawn(process.execPath, args, { stdio: 'inherit' }).once('close', resolve);
    });
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(run))).toEqual([0, 0, 0, 0]);
  const read = readJsonFile(path);
  expect(Object.keys(read.state === 'read' ? (read.value as object) : {})).toHaveLength(40);
  expect(readdirSync(join(path, '..'))).toEqual(['config.json']);
});

test('what cannot be read is kept as a copy before anything is written', () => {
  const folder = tempFolder();
  const path = join(folder, 'keys.json');
  for (const broken of ['{"a": ', '[1]']) {
    writeFileSync(path, broken);
    const { keptAs } = updateJsonFile(path, () => ({ b: 1 }));
    expect(readFileSync(keptAs ?? '', 'utf8')).toBe(broken);
    expect(readJsonFile(path)).toEqual({ state: 'read', value: { b: 1 } });
    rmSync(keptAs ?? '');
  }
});

test('where the change fails nothing is written, and the lock is free', () => {
  const path = join(tempFolder(), 'a.json');
  writeFileSync(path, '{"a":1}');
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => updateJsonFile(path, fail)).toThrow('no');
  expect(updateJsonFile(path, (value) => ({ ...value, b: 2 }))).toEqual({ value: { a: 1, b: 2 }, keptAs: undefined });
});
