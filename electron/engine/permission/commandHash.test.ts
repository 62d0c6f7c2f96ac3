import { expect, test } from 'vitest';
import { type BoundCommand, commandHash } from './commandHash.ts';

const bound = { command: 'npm test', cwd: '/p' };

test('C5: everything that decides what runs changes the hash', () => {
  const others: readonly BoundCommand[] = [
    bound,
    { ...bound, command: 'npm  test' },
    { ...bound, cwd: '/q' },
    { ...bound, argv: ['npm', 'test'] },
    { ...bound, argv: ['npm test'] },
    { ...bound, env: { A: '1' } },
    { ...bound, env: { A: '1', B: '2' } },
  ];
  expect(new Set(others.map((other) => commandHash(other))).size).toBe(others.length);
});

test('the order of the environment does not matter', () => {
  expect(commandHash({ ...bound, env: { A: '1', B: '2' } })).toBe(commandHash({ ...bound, env: { B: '2', A: '1' } }));
  expect(commandHash(bound)).toMatch(/^[0-9a-f]{64}$/);
});
