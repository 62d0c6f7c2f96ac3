import { describe, expect, test } from 'vitest';
import { entryHash, mergeEntries, readServerEntries, type ServerEntry } from './mcpConfig.ts';

const read = (servers: unknown, env: Record<string, string> = {}) =>
  readServerEntries(JSON.stringify({ mcpServers: servers }), 'project', env);

describe('the list of MCP servers', () => {
  test('has programs and addresses, with values from the environment', () => {
    const result = read(
      {
        files: { command: '${BIN:-npx}', args: ['-y', '${NONE}'], env: { A: '${B}' } },
        web: { url: 'https://h/${B}', headers: { X: 'y' } },
      },
      { B: 'b' },
    );
    expect(result.ok && result.value).toEqual({
      entries: [
        {
          name: 'files',
          origin: 'project',
          connection: { kind: 'stdio', command: 'npx', args: ['-y', '${NONE}'], env: { A: 'b' } },
        },
        { name: 'web', origin: 'project', connection: { kind: 'http', url: 'https://h/b', headers: { X: 'y' } } },
      ],
      faults: [],
    });
  });

  test.each([
    ['a bad name', { '../x': { command: 'a' } }],
    ['no command', { x: {} }],
    ['an address of another kind', { x: { url: 'file:///etc/passwd' } }],
    ['arguments that are no strings', { x: { command: 'a', args: [1] } }],
    ['a NUL', { x: { command: 'a\0b' } }],
    ['no object', { x: 'a' }],
  ])('leaves out %s and says so', (_, servers) => {
    const result = read(servers);
    expect(result.ok && [result.value.entries, result.value.faults.length]).toEqual([[], 1]);
  });

  test.each(['{', '[]x', '{"mcpServers": []}', `{"mcpServers": ${'['.repeat(300)}${']'.repeat(300)}}`])(
    '%s is refused whole',
    (text) => {
      const result = readServerEntries(text, 'user', {});
      expect(result.ok ? 'ok' : result.error.code).toBe('CONFIG_INVALID');
    },
  );

  const entry = (changes: Partial<ServerEntry> = {}, args: readonly string[] = []): ServerEntry => ({
    name: 'x',
    origin: 'project',
    connection: { kind: 'stdio', command: 'c', args, env: {} },
    ...changes,
  });

  test('J2: the hash changes with any part of the entry', () => {
    const all = [
      entry(),
      entry({ name: 'y' }),
      entry({}, ['-a']),
      entry({ connection: { kind: 'http', url: 'http://x', headers: {} } }),
    ];
    expect(new Set(all.map(entryHash)).size).toBe(4);
  });

  test('a project cannot take the place of a server of the user', () => {
    expect(mergeEntries([entry()], [entry({ origin: 'user' })]).map(({ origin }) => origin)).toEqual(['user']);
  });
});
