import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from '../../.setup/madePage.ts';
import { terminalPicture } from '../../.setup/terminalPicture.ts';
import type { StorageUse } from '../../shared/contract/storageApi.ts';
import { storageWords } from './storage.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** What a small home holds after a few days. */
const use: StorageUse = {
  folder: '~/.local/state/vise',
  totalBytes: 4_980_736,
  kinds: [
    ['sessions', 2_936_013, 41],
    ['outputs', 1_468_006, 12],
    ['caches', 419_430, 6],
    ['logs', 157_287, 3],
  ].map(([kind, sizeBytes, files]) => ({ kind, sizeBytes, files, newestAt: null }) as StorageUse['kinds'][number]),
  sessions: [
    ['20260112-091502-5f0c21aa', 'Make the failing test pass', 1_887_436],
    ['20260110-164410-9be2d7c4', 'What does this project do?', 524_288],
    ['20260108-110327-01d3a6ef', 'Write a test for the parser', 524_289],
  ].map(([id = '', title = '', size]) => ({
    id: String(id),
    title: String(title),
    project: '~/project',
    updatedAt: `2026-01-${String(id).slice(6, 8)}T12:00:00.000Z`,
    archived: false,
    sizeBytes: Number(size),
    journalBytes: 0,
    contentBytes: 0,
    outputBytes: 0,
  })),
};

/** Pictures of docs/, each drawn from what a test has seen on a terminal. */
const pictures = [
  ['command.svg', 'terminal/pictures/exec-100-colours.txt'],
  ['first-task.svg', 'terminal/pictures/exec-running-100-colours.txt'],
  ['chat.svg', 'chat/pictures/chat-asked-100-colours.txt'],
  ['no-model.svg', 'chat/pictures/first-100-colours.txt'],
] as const;

test.each(pictures)('docs/%s shows what the command line prints', (name, from) => {
  isFresh(name, readFileSync(join(import.meta.dirname, from), 'utf8'));
});

test('docs/storage.svg shows what vise storage prints', () => {
  isFresh('storage.svg', `<b>$ vise storage</>\n${storageWords(use)}`);
});

function isFresh(name: string, text: string): void {
  const { written, fresh } = madeFile(join(docs, name), terminalPicture(text));
  expect(written, stalePage).toBe(fresh);
}
