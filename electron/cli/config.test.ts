import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { main } from './main.ts';
import { createTestIo } from './testing/testIo.ts';

async function config(settings: string | undefined, ...flags: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-config-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (settings !== undefined) {
    mkdirSync(join(folder, '.vise'));
    writeFileSync(join(folder, '.vise', 'settings.json'), settings);
  }
  const io = createTestIo(folder, '', { VISE_HOME: join(folder, 'home') });
  const code = await main(['config', '--show', ...flags], io);
  return { folder, code, shown: JSON.parse(io.printed.out) as Record<string, unknown>, err: io.printed.err };
}

test('vise config --show says what the project narrows, and what of it does not count', async () => {
  const { folder, code, shown, err } = await config(
    '{"agent":{"maxIterations":4,"parallelCalls":99}}',
    '--trust-workspace',
    '--resolved',
  );
  expect(code).toBe(0);
  expect(shown['project']).toEqual({ path: folder, state: 'counts', narrows: { 'agent.maxIterations': 4 } });
  expect(err).toBe(
    'vise config: .vise/settings.json: agent.parallelCalls is looser than yours (8); a project can only narrow.\n',
  );
});

test('vise config --show tells what an untrusted project narrows, and nothing where it says nothing', async () => {
  const untrusted = await config('{"agent":{"maxIterations":4}}');
  const narrows = { 'agent.maxIterations': 4 };
  expect(untrusted.shown).toEqual({ project: { path: untrusted.folder, state: 'counts', narrows } });
  expect(await config(undefined)).toMatchObject({ code: 0, shown: {}, err: '' });
});
