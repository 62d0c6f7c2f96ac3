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
