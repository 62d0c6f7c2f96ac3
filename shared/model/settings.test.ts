import { describe, expect, test } from 'vitest';
import { defaultSettings, parseSettings, settingsSchema } from './settings.ts';

test('the defaults are what the schema makes of nothing', () => {
  expect(settingsSchema.parse({})).toEqual(defaultSettings);
});

describe('settings of the shell', () => {
  test('may have snake_case names; where both stand, ours wins', () => {
    const { shell } = settingsSchema.parse({
      shell: {
        extra_paths: '~/.cargo/bin',
        max_output_chars: 0,
        auto_background_threshold: 2.5,
        background_max_workers: 1,
        backgroundMaxWorkers: 7,
        estimate_grace_ms: 300,
        background_timeout: 60,
        keep_background_on_exit: true,
        shell: '/bin/bash',
        slow_commands: { 'bazel build': 90 },
        pass_variables: ['NPM_TOKEN'],
      },
    });
    expect(shell).toEqual({
      extraPaths: '~/.cargo/bin',
      maxOutputChars: 0,
      autoBackgroundThresholdSeconds: 2.5,
      backgroundMaxWorkers: 7,
      estimateGraceMs: 300,
      backgroundTimeoutSeconds: 60,
      keepRunning: true,
      program: '/bin/bash',
      slowCommands: { 'bazel build': 90 },
      passVariables: ['NPM_TOKEN'],
    });
  });

  test.each([null, -1, 0])('a threshold of %s switches auto-backgrounding off', (threshold) => {
    expect(settingsSchema.parse({ shell: { auto_background_threshold: threshold } }).shell).toMatchObject({
      autoBackgroundThresholdSeconds: 0,
    });
  });

  test.each([
    ['extra_paths', 7],
    ['extra_paths', ['a', 1]],
    ['max_output_chars', -1],
    ['max_output_chars', 1.5],
    ['max_output_chars', '50000'],
    ['auto_background_threshold', '10'],
    ['auto_background_threshold', Number.NaN],
    ['background_max_workers', 0],
    ['background_max_workers', 2.5],
    ['estimate_grace_ms', -1],
    ['background_timeout', 0],
  ])('%s: %j is an error, not silently a default', (name, value) => {
    expect(settingsSchema.safeParse({ shell: { [name]: value } }).success).toBe(false);
  });
});

test.each<[unknown]>([
  [{}],
  [{ theme: 'dark', unknown: 1 }],
  [{ agent: { maxRequests: 7 }, shell: { max_output_chars: 9 } }],
  [{ sandbox: {}, spend: { day: 2 }, mode: 'ask' }],
  [{ agent: { maxRequests: 'many' }, theme: 'pink' }],
  [{ storage: null }],
  [{ ['__proto__']: { theme: 'dark' }, constructor: 1 }],
  [null],
  [[]],
  ['dark'],
])('of %j the schemas of what it names make the same as all of them', (given) => {
  const [some, all] = [parseSettings(given), settingsSchema.safeParse(given)];
  expect([some.success, some.data, some.error?.issues]).toEqual([all.success, all.data, all.error?.issues]);
});
