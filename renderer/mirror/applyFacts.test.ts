import { expect, test } from 'vitest';
import type { Envelope, SessionEvent } from '../../shared/model/event.ts';
import { emptySession } from '../../shared/model/sessionState.ts';
import { applyFacts } from './applyFacts.ts';

const fact = (seq: number, event: SessionEvent): Envelope => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  session: 's',
  event,
});
const renamed = (seq: number, title: string): Envelope => fact(seq, { type: 'session.renamed', title });
const known = { seq: 3, state: { ...emptySession, id: 's' }, draft: '' };

test('facts in order are reduced as the engine reduces them', () => {
  const { session, gap } = applyFacts(known, [renamed(4, 'a'), renamed(5, 'b')]);
  expect({ seq: session.seq, title: session.state.title, gap }).toEqual({ seq: 5, title: 'b', gap: false });
});

test('facts that the snapshot holds already are skipped, and nothing changes identity', () => {
  expect(applyFacts(known, [renamed(2, 'x'), renamed(3, 'y')]).session).toBe(known);
  expect(applyFacts(known, [renamed(2, 'x')]).session).toBe(known);
  const notice = fact(3, { type: 'notice', level: 'info', code: 'INFO', text: 'known' });
  expect(applyFacts(known, [notice, renamed(4, 'a')]).session.state.items).toEqual([]);
});

test('a missing fact stops the reading and asks for a snapshot', () => {
  const { session, gap } = applyFacts(known, [renamed(4, 'a'), renamed(6, 'c')]);
  expect({ seq: session.seq, title: session.state.title, gap }).toEqual({ seq: 4, title: 'a', gap: true });
});

test('a rewind to a part of the conversation that was left out asks for a snapshot', () => {
  const notice = { kind: 'notice', at: '', level: 'info', code: 'INFO', text: '' } as const;
  const state = { ...emptySession, items: [[], Array.from({ length: 128 }, () => notice), [notice]] };
  const back = (items: number): Envelope => {
    const talk = { items, facts: emptySession.facts, compacted: null, lastOutcome: null, interrupted: null };
    const words = { level: 'info', code: 'rewound', text: 'back' } as const;
    return fact(4, { type: 'session.rewound', rewind: 'r', moved: [], talk, notice: words });
  };
  expect(applyFacts({ ...known, state }, [back(100)])).toEqual({ session: { ...known, state }, gap: true });
  expect(applyFacts({ ...known, state }, [back(128)]).gap).toBe(true);
  const near = applyFacts({ ...known, state }, [back(200)]);
  expect([near.gap, near.session.state.items.map(({ length }) => length)]).toEqual([false, [0, 73]]);
});
