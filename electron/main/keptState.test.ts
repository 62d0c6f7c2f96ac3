import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openKeptState } from './keptState.ts';

function folderWith(text?: string): { readonly folder: string; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vise-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'desktop.json');
  if (text !== undefined) writeFileSync(file, text);
  return { folder, file };
}

const initial = {
  window: undefined,
  crashReports: false,
  updateChannel: 'stable',
  language: 'system',
  theme: 'system',
};

test('what was changed is there at the next start', () => {
  const { folder } = folderWith();
  const log = { warn: () => expect.unreachable() };
  expect(openKeptState(folder, log).now).toEqual(initial);
  const window = { bounds: { x: 1, y: 2, width: 300, height: 400 }, maximized: true, fullScreen: false };
  openKeptState(folder, log).change({ window, updateChannel: 'beta', language: 'zh-CN', theme: 'light' });
  expect(openKeptState(folder, log).now).toEqual({
    ...initial,
    window,
    updateChannel: 'beta',
    language: 'zh-CN',
    theme: 'light',
  });
});

test.each([
  '',
  '{',
  '[]',
  '{"window":{"bounds":{"x":"far"}},"crashReports":"yes","updateChannel":"alpha","language":"de","theme":"pink"}',
])('a file that cannot be read counts as nothing kept: %j', (text) => {
  expect(openKeptState(folderWith(text).folder, { warn: () => undefined }).now).toEqual(initial);
});

test('S6 a file of a newer version is read and never written over', () => {
  const text = '{"version":2,"crashReports":true,"more":1}';
  const { folder, file } = folderWith(text);
  const kept = openKeptState(folder, { warn: () => undefined });
  kept.change({ crashReports: false });
  expect(kept.now.crashReports).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a folder that cannot be written costs the memory and nothing else', () => {
  const { folder } = folderWith();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  const told: string[] = [];
  const kept = openKeptState(folder, { warn: (what) => told.push(what) });
  kept.change({ crashReports: true });
  expect({ reports: kept.now.crashReports, told: told.at(-1) }).toEqual({
    reports: true,
    told: 'the window cannot remember its place',
  });
});
