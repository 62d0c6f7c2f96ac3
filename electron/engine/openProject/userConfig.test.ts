import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../shared/model/settings.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
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
    sandbox: { commands: true, network: false, readable: [] },
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
      sandbox: { commands: true, network: false, readable: [] },
    });
    expect(problems).toEqual([expect.stringContaining('commands run in the sandbox, without network')]);
  },
);

test('settings that are no object are the defaults, and told', () => {
  const { settings, problems } = opened('all');
  expect([settings, problems]).toEqual([defaultSettings, [expect.stringContaining('defaults are used for all.')]]);
});
