import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { testBench } from '../testing/engineForTest.ts';
import { testFolder, writeFiles } from '../workspace/testing/testFolder.ts';
import { openUserConfig } from './userConfig.ts';

function opened(settings: unknown) {
  const folder = testFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ settings }));
  return openUserConfig(folder);
}

test('a setting that does not fit is told by its name, and costs the others nothing', () => {
  const { settings, problems } = opened({
    mode: 'direct',
    shell: { max_output_chars: -1, keepRunning: true },
    sandbox: { commands: true },
  });
  expect(settings).toEqual({
    ...defaultSettings,
    mode: 'direct',
    sandbox: { commands: true, network: false, readable: [], sockets: false },
  });
  expect(problems).toEqual([
    expect.stringMatching(/settings\.shell\.maxOutputChars: .* defaults are used for shell\.$/),
  ]);
});

test.each([[{ commands: 'yes' }], [{ commands: true, network: 7 }], ['on'], [null]])(
  'what is said of the sandbox and does not fit leaves no command outside (C9): %j',
  (sandbox) => {
    const { settings, problems } = opened({ mode: 'ask', sandbox });
    expect(settings).toEqual({
      ...defaultSettings,
      mode: 'ask',
      sandbox: { commands: true, network: false, readable: [], sockets: false },
    });
    expect(problems).toEqual([expect.stringContaining('commands run in the sandbox, without network')]);
  },
);

test('settings that are no object are the defaults, and told', () => {
  const { settings, problems } = opened('all');
  expect([settings, problems]).toEqual([defaultSettings, [expect.stringContaining('defaults are used for all.')]]);
});

test('what another process writes is read at the next look, and what cannot be read changes nothing', () => {
  const config = opened({ mode: 'direct' });
  const write = (text: string): void => writeFileSync(config.path, text);
  expect(config.refresh()).toBe(false);
  write(JSON.stringify({ settings: { mode: 'ask' } }));
  expect([config.refresh(), config.refresh(), config.settings.mode]).toEqual([true, false, 'ask']);
  write('{ half a file');
  expect([config.refresh(), config.settings.mode, config.problems]).toEqual([false, 'ask', []]);
});

test('a call outside a conversation sees settings that were written since the engine began', async () => {
  const { engine, project, ports } = testBench({ 'a.txt': 'x' });
  const opened = await engine.project(project);
  if (!opened.ok) throw new Error(opened.error.message);
  const limit = (): number => opened.value.settings().shell.maxOutputChars;
  const before = limit();
  writeFiles(ports.places.config, {
    'config.json': JSON.stringify({ settings: { shell: { maxOutputChars: 123 } } }),
  });
  await engine.callTool(project, 'read_file', { filePath: 'a.txt' }, new AbortController().signal);
  expect([before, limit()]).toEqual([50_000, 123]);
});
