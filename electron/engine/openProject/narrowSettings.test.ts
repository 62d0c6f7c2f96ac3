import { describe, expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../../shared/model/settings.ts';
import { narrowSettings, projectRows } from './narrowSettings.ts';

const user: Settings = {
  ...defaultSettings,
  shell: { ...defaultSettings.shell, maxOutputChars: 0, keepRunning: true },
  sandbox: { commands: true, network: ['*.example.com', 'files.example.org'], readable: [], sockets: false },
  git: { protectedBranches: ['main'] },
  bridge: { levels: { jq: 'moderate', jq_run: 'none' }, off: [] },
};

describe('settings of a project', () => {
  test('each narrower value counts, by both names of the shell', () => {
    const { settings, allow, narrows, notices } = narrowSettings(user, {
      allow: 'moderate',
      shell: { max_output_chars: 1000, backgroundMaxWorkers: 2, backgroundTimeoutSeconds: 60, keepRunning: false },
      sandbox: { network: ['a.example.com', '*.b.example.com'] },
      agent: { maxIterations: 5, parallelCalls: 1, resultChars: 1000 },
      git: { protectedBranches: ['release/*', 'main'] },
      bridge: { levels: { jq: 'dangerous' } },
    });
    expect(notices).toEqual([]);
    expect(allow).toBe('moderate');
    expect(settings).toEqual({
      ...user,
      shell: {
        ...user.shell,
        maxOutputChars: 1000,
        backgroundMaxWorkers: 2,
        backgroundTimeoutSeconds: 60,
        keepRunning: false,
      },
      sandbox: { commands: true, network: ['a.example.com', '*.b.example.com'], readable: [], sockets: false },
      agent: { ...user.agent, maxIterations: 5, parallelCalls: 1, resultChars: 1000 },
      git: { protectedBranches: ['main', 'release/*'] },
      bridge: { levels: { jq: 'dangerous', jq_run: 'none' }, off: [] },
    });
    expect(narrows).toMatchObject({
      allow: 'moderate',
      'agent.maxIterations': 5,
      'git.protectedBranches': ['main', 'release/*'],
    });
  });

  const looser: readonly (readonly [string, unknown])[] = [
    ['shell.backgroundMaxWorkers', { shell: { backgroundMaxWorkers: 5 } }],
    ['sandbox.commands', { sandbox: { commands: false } }],
    ['sandbox.network', { sandbox: { network: true } }],
    ['sandbox.network', { sandbox: { network: ['example.com.evil.example.org'] } }],
    ['sandbox.network', { sandbox: { network: ['*'] } }],
    ['sandbox.network', { sandbox: { network: ['*.example.org'] } }],
    ['sandbox.sockets', { sandbox: { sockets: true } }],
    ['agent.maxIterations', { agent: { maxIterations: 21 } }],
    ['agent.parallelCalls', { agent: { parallelCalls: 9 } }],
    ['agent.resultChars', { agent: { resultChars: 50_001 } }],
  ];
  test.each(looser)('a looser %s does not count and is told: %j', (name, given) => {
    const { settings, narrows, notices } = narrowSettings(user, given);
    expect(settings).toEqual(user);
    expect(narrows).toEqual({});
    expect(notices).toEqual([expect.stringMatching(`^${name} is looser than yours .*a project can only narrow$`)]);
  });

  test('with stricter words of the user, what they exclude stays excluded', () => {
    const strict: Settings = {
      ...user,
      shell: { ...user.shell, maxOutputChars: 500, backgroundTimeoutSeconds: 10, keepRunning: false },
      sandbox: { commands: true, network: false, readable: [], sockets: false },
    };
    const given = {
      shell: { maxOutputChars: 501, backgroundTimeoutSeconds: 11, keepRunning: true },
      sandbox: { network: ['a.example.com'] },
    };
    const { settings, notices } = narrowSettings(strict, given);
    expect(settings).toEqual(strict);
    expect(notices).toHaveLength(4);
    expect(narrowSettings(strict, { sandbox: { network: [] } })).toMatchObject({ notices: [] });
  });

  test('a level of a spec can only be raised to the highest: another would win over what the user said of the whole spec', () => {
    const { settings, notices } = narrowSettings(user, { bridge: { levels: { jq_get: 'none', rg: 'dangerous' } } });
    expect(settings.bridge.levels).toEqual({ jq: 'moderate', jq_run: 'none', rg: 'dangerous' });
    expect(notices).toEqual(['bridge.levels can only raise tools to "dangerous"; left out: jq_get']);
  });

  test.each([
    ['providers', { providers: { evil: { llm_base_url: 'http://example.com' } } }, 'providers.evil'],
    ['a key', { llm_api_key: 'sk-1' }, 'llm_api_key'],
    ['a program', { browser: { program: './evil' } }, 'browser.program'],
    ['the shell', { shell: { shell: './evil' } }, 'shell.program'],
    ['folders of PATH', { shell: { extraPaths: ['bin'] } }, 'shell.extraPaths'],
    ['servers', { mcpServers: { evil: { command: './evil' } } }, 'mcpServers.evil'],
    ['a group that is none', { sandbox: true }, 'sandbox'],
  ])('%s can not be set by a project', (_what, given, name) => {
    const { settings, notices } = narrowSettings(user, given);
    expect(settings).toEqual(user);
    expect(notices).toEqual([`${name} is nothing that a project may set`]);
  });

  test('a value that does not fit is left out by itself', () => {
    const { settings, narrows, notices } = narrowSettings(user, {
      agent: { maxIterations: 0, parallelCalls: 2 },
      allow: 'everything',
    });
    expect(settings).toEqual({ ...user, agent: { ...user.agent, parallelCalls: 2 } });
    expect(narrows).toEqual({ 'agent.parallelCalls': 2 });
    expect(notices.map((notice) => notice.split(' (')[0])).toEqual([
      'agent.maxIterations does not fit',
      'allow does not fit',
    ]);
  });

  test('what is no object at all, and a flood of names, are told in few lines', () => {
    expect(narrowSettings(user, [1])).toMatchObject({
      settings: user,
      notices: [expect.stringContaining('one JSON object')],
    });
    const flood = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}\u001B[2J`, at]));
    const { notices } = narrowSettings(user, flood);
    expect(notices).toHaveLength(21);
    expect(notices.join('')).not.toContain('\u001B');
  });

  test('no value of any row can make the settings looser', () => {
    const values = [0, 1, 7, 1e9, true, false, 'none', 'moderate', ['*'], [], {}, { jq: 'none' }, null];
    for (const name of projectRows.keys()) {
      const [group = '', key] = name.split('.');
      for (const value of values) {
        const { settings } = narrowSettings(
          user,
          key === undefined ? { [group]: value } : { [group]: { [key]: value } },
        );
        expect(settings.sandbox.commands).toBe(true);
        expect(settings.agent.maxIterations).toBeLessThanOrEqual(20);
        expect(settings.bridge.levels).toMatchObject({ jq: 'moderate', jq_run: 'none' });
        expect(settings.git.protectedBranches).toContain('main');
        expect(settings.sandbox.network).not.toContain('*');
        expect(settings.sandbox.sockets).toBe(false);
      }
    }
  });
});
