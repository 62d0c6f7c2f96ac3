import { expect, test } from 'vitest';
import type { Call } from './call.ts';
import { questionsOf } from './questions.ts';
import { emptySession } from './sessionState.ts';
import { summaryOf } from './summary.ts';

const waiting = (id: string, turn: string, kind: 'changes' | 'command', severe = false): Call =>
  ({ id, turn, state: 'waiting', intent: { preview: { kind } }, approval: { severe } }) as Call; // all that is looked at

const asking = (...calls: readonly Call[]) => ({
  ...emptySession,
  items: [calls.map((call) => ({ kind: 'call' as const, call }))],
  liveCalls: Object.fromEntries(calls.map(({ id }, index) => [id, index])),
});

test('the edits of one turn are one question; a command, another turn and what cannot be taken back are ones of their own', () => {
  const session = asking(
    waiting('a', 't1', 'changes'),
    waiting('b', 't1', 'command'),
    waiting('c', 't1', 'changes'),
    waiting('d', 't1', 'changes', true),
    waiting('e', 't2', 'changes'),
  );
  expect(questionsOf(session).map((calls) => calls.map(({ id }) => id))).toEqual([['a', 'c'], ['b'], ['d'], ['e']]);
  expect(summaryOf(session).waiting).toBe(4);
});

const command = (id: string, line: string, approval: Partial<Call['approval']> = {}, more: Partial<Call> = {}): Call =>
  ({
    id,
    turn: 't',
    tool: 'run',
    state: 'waiting',
    intent: { risk: 'dangerous', preview: { kind: 'command', command: line, cwd: '/p', mode: 'shell' } },
    approval: { severe: false, rememberable: true, reasons: ['asked each time'], ...approval },
    ...more,
  }) as Call; // all that is looked at

test('commands of one turn that are alike are one question', () => {
  const session = asking(
    command('a', 'npm test a'),
    command('b', 'node x.js'),
    command('c', 'npm run b'),
    command('d', 'npm test d', {}, { turn: 't2' }),
  );
  expect(questionsOf(session).map((calls) => calls.map(({ id }) => id))).toEqual([['a', 'c'], ['b'], ['d']]);
});

test('a command that does more than the others, or is asked for another reason, is a question of its own', () => {
  const none = { deletes: [], writes: [], hosts: [], downloads: [] };
  for (const other of [
    { severe: true },
    { rememberable: false },
    { reasons: ['a rule asks'] },
    { offer: { place: '/p', minutes: 60 } },
    { effects: { ...none, deletes: ['build'] } },
    { effects: { ...none, writes: ['x'] } },
    { effects: { ...none, hosts: ['example.org'] } },
    { effects: { ...none, downloads: ['npm'] } },
  ])
    expect(
      questionsOf(asking(command('a', 'npm test a', { effects: none }), command('b', 'npm test b', other))),
    ).toHaveLength(2);
});
