import { expect, test } from 'vitest';
import { commands } from './commands.ts';

test('no two commands share an id or a key', () => {
  for (const part of ['id', 'keys'] as const) {
    const used = commands.flatMap((command) => command[part] ?? []);
    expect(used).toEqual([...new Set(used)]);
  }
});

test('no shortcut takes a key that browsers never give away', () => {
  const reserved = ['mod+n', 'mod+t', 'mod+w', 'mod+shift+n', 'mod+shift+t'];
  expect(commands.filter(({ keys }) => keys !== undefined && reserved.includes(keys))).toEqual([]);
});
