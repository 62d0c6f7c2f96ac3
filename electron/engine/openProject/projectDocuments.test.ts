import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProjectDocuments } from './projectDocuments.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vise-documents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('what was written is read again, and what was not is nothing', async () => {
  const documents = createProjectDocuments({ folder: join(makeFolder(), 'new') });
  expect(await documents.read('todos')).toEqual({ ok: true, value: undefined });
  expect(await documents.write('todos', [{ id: 'a' }])).toEqual({ ok: true, value: undefined });
  expect(await documents.read('todos')).toEqual({ ok: true, value: [{ id: 'a' }] });
});

test('a broken document is told and never taken for an empty one', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'todos.json'), '{');
  const read = await createProjectDocuments({ folder }).read('todos');
  expect(read.ok ? 'ok' : read.error.code).toBe('INTERNAL');
});

test('a name stays within the folder', async () => {
  const folder = makeFolder();
  await createProjectDocuments({ folder: join(folder, 'inner') }).write('../out', 1);
  expect(await createProjectDocuments({ folder }).read('out')).toEqual({ ok: true, value: undefined });
});
