import { expect, test } from 'vitest';
import type { Answer } from '../../../../shared/model/call.ts';
import { commandIntent, context, rule } from '../testing/judge.ts';
import { backtest, type PastCall } from './backtest.ts';

const past = (at: string, command: string, decision?: Answer['decision']): PastCall => ({
  tool: 'run',
  category: 'system',
  level: 'dangerous',
  intent: commandIntent(command),
  at,
  ...(decision ? { answer: { at, decision, by: 'user' } } : {}),
});

const calls = [
  past('2026-01-01', 'npm run build', 'allow'),
  past('2026-01-03', 'npm run build --silent', 'deny'),
  past('2026-01-02', 'npm run build && rm x', 'allow'),
  past('2026-01-04', 'npm run builder'),
  past('2026-01-05', 'rm -rf /', 'deny'),
];

test('an allow rule: what it alone would have let through, newest first', () => {
  const narrow = rule('allow', { command: ['npm', 'run', 'build'] });
  const result = backtest(narrow, calls, context);
  expect(result).toEqual({
    considered: 5,
    matched: [
      { at: '2026-01-03', summary: 'npm run build --silent', answered: 'denied by user' },
      { at: '2026-01-01', summary: 'npm run build', answered: 'allowed by user' },
    ],
    wouldAllow: 2,
    deniedThen: 1,
    askedAnyway: 0,
  });
});

test('a broad rule does not pass the hard limits, which are counted', () => {
  const broad = rule('allow', { tool: 'run' });
  const result = backtest(broad, calls, context, 1);
  expect({ ...result, matched: result.matched.length }).toEqual({
    considered: 5,
    matched: 1,
    wouldAllow: 4,
    deniedThen: 1,
    askedAnyway: 1,
  });
});

test('a deny rule finds the commands within commands', () => {
  const deny = rule('deny', { command: ['rm'] });
  const result = backtest(deny, calls, context);
  expect(result.matched.map(({ summary, answered }) => [summary, answered])).toEqual([
    ['rm -rf /', 'denied by user'],
    ['npm run build && rm x', 'allowed by user'],
  ]);
});
