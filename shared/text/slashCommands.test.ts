import { expect, test } from 'vitest';
import { parseSlash, slashCommands, slashCommandsIn, usageOf } from './slashCommands.ts';

test.each<[string, unknown]>([
  ['hello', { kind: 'text' }],
  [' /help', { kind: 'text' }],
  ['/help', { kind: 'command', name: 'help', args: [] }],
  ['/HELP me', { kind: 'command', name: 'help', args: ['me'] }],
  ['/quit', { kind: 'command', name: 'exit', args: [] }],
  ['/read "a b.txt"', { kind: 'command', name: 'read', args: ['a b.txt'] }],
  ["/search 'two words' src", { kind: 'command', name: 'search', args: ['two words', 'src'] }],
  ['/read "open', { kind: 'command', name: 'read', args: ['open'] }],
  ['/read', { kind: 'usage', text: 'usage: /read <path>' }],
  ['/serach x', { kind: 'unknown', text: 'unknown command: /serach. Did you mean /search?' }],
  ['/frobnicate', { kind: 'unknown', text: 'unknown command: /frobnicate. /help lists the commands.' }],
  ['/', { kind: 'unknown', text: 'unknown command: /. /help lists the commands.' }],
])('%j', (line, meaning) => {
  expect(parseSlash(line, 'terminal')).toEqual(meaning);
});

test('each place has its own commands, and only those', () => {
  expect(parseSlash('/register jq', 'window')).toEqual({ kind: 'command', name: 'register', args: ['jq'] });
  expect(parseSlash('/register jq', 'terminal')).toMatchObject({ kind: 'unknown' });
  expect(parseSlash('/read a.txt', 'window')).toMatchObject({ kind: 'unknown' });
  const here = new Set<string>(slashCommandsIn('window').map(({ name }) => name));
  expect([here.has('init'), here.has('register'), here.has('read')]).toEqual([true, true, false]);
});

test('each command is described, once', () => {
  expect(new Set(slashCommands.map(({ name }) => name)).size).toBe(slashCommands.length);
  for (const command of slashCommands) expect(usageOf(command)).toMatch(/^\/[a-z]+/);
});
