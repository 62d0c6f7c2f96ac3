import { afterEach, expect, test } from 'vitest';
import type { Client } from '../../shared/contract/client.ts';
import type { Envelope } from '../../shared/model/event.ts';
import { emptySession, type Item, type SessionState } from '../../shared/model/sessionState.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { followSessions } from './followSessions.ts';
import type { Frames } from './restingFrames.ts';
import { useSessions } from './sessions.ts';

afterEach(() => useSessions.setState({ watched: {}, failed: {} }));

const soon: Frames = {
  next(run) {
    queueMicrotask(run);
    return () => undefined;
  },
};
const never: Frames = { next: () => () => undefined };

const drawn = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

interface Asked {
  readonly method: string;
  readonly session: string;
  readonly before: number | undefined;
  readonly answer: (result: Result<unknown>) => Promise<void>;
}

/** A client whose answers the test gives, one by one. */
function handClient() {
  const asked: Asked[] = [];
  const listeners = new Set<(envelope: Envelope) => void>();
  const client = {
    call(method: string, { session, before }: { readonly session: string; readonly before?: number }) {
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      const answer = async (result: Result<unknown>): Promise<void> => {
        resolve(result);
        await drawn();
      };
      asked.push({ method, session, before, answer });
      return promise;
    },
    onEvent(listen: (envelope: Envelope) => void) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  } as unknown as Client; // what following needs of it
  const rename = (seq: number, title: string, session = 's'): void => {
    for (const listen of listeners)
      listen({ seq, at: '2026-01-01T00:00:00.000Z', session, event: { type: 'session.renamed', title } });
  };
  return { client, asked, rename, listeners };
}

const snapshot = (seq: number, title: string) => ok({ seq, state: { ...emptySession, title }, draft: 'half' });
const seen = () =>
  Object.fromEntries(
    Object.entries(useSessions.getState().watched).map(([id, { seq, state }]) => [id, `${seq} ${state.title}`]),
  );

function following(frames = soon) {
  const hand = handClient();
  const gaps: Promise<unknown>[] = [];
  const sessions = followSessions(hand.client, frames, (gap) => gaps.push(gap));
  return { ...hand, gaps, sessions };
}

test('facts that come while a snapshot is under way are applied on top of it, those that it holds are not', async () => {
  const { asked, rename, sessions } = following();
  sessions.watchOnly(['s']);
  for (const [seq, title] of [
    [4, 'four'],
    [5, 'five'],
    [6, 'six'],
  ] as const)
    rename(seq, title);
  await drawn();
  expect(seen()).toEqual({});
  await asked[0]?.answer(snapshot(5, 'five'));
  expect([seen(), useSessions.getState().watched['s']?.draft]).toEqual([{ s: '6 six' }, 'half']);
});

test('facts that were gathered for a frame when the snapshot comes are not lost', async () => {
  const { asked, rename, sessions } = following(never);
  sessions.watchOnly(['s']);
  rename(6, 'six');
  await asked[0]?.answer(snapshot(5, 'five'));
  expect(seen()).toEqual({ s: '6 six' });
});

test('a gap is filled by one snapshot, however many facts come meanwhile', async () => {
  const { asked, rename, sessions, gaps } = following();
  sessions.watchOnly(['s']);
  await asked[0]?.answer(snapshot(5, 'five'));
  rename(6, 'six');
  await drawn();
  expect([asked.length, gaps.length]).toEqual([1, 0]);
  rename(8, 'eight');
  await drawn();
  rename(9, 'nine');
  await drawn();
  expect([asked.length, gaps.length, seen()]).toEqual([2, 1, { s: '6 six' }]);
  await asked[1]?.answer(snapshot(8, 'eight'));
  expect(seen()).toEqual({ s: '9 nine' });
});

test('an answer for a session that is not wanted any more changes nothing', async () => {
  const { asked, sessions } = following();
  sessions.watchOnly(['s']);
  sessions.watchOnly([]);
  await asked[0]?.answer(snapshot(5, 'late'));
  expect([seen(), asked.map(({ method }) => method)]).toEqual([{}, ['session.watch', 'session.unwatch']]);
});

test('a session that is let go and wanted again before its answer is asked for again, and the newest answer counts', async () => {
  const { asked, rename, sessions } = following();
  sessions.watchOnly(['s']);
  sessions.watchOnly([]);
  sessions.watchOnly(['s']);
  expect(asked.map(({ method }) => method)).toEqual(['session.watch', 'session.unwatch', 'session.watch']);
  await asked[0]?.answer(snapshot(5, 'five'));
  rename(8, 'eight');
  await drawn();
  await asked[2]?.answer(snapshot(7, 'seven'));
  expect(seen()).toEqual({ s: '8 eight' });
});

const item = (text: string): Item => ({ kind: 'system', turn: 't', at: '', text });
const full = (text: string): readonly Item[] => Array.from({ length: 128 }, (_, index) => item(`${text} ${index}`));
const long = (seq: number, items: SessionState['items']) => ok({ seq, state: { ...emptySession, items }, draft: '' });

test('the newest part of a long session is shown first, the older ones follow one by one, with the facts between them', async () => {
  const { asked, rename, sessions } = following();
  sessions.watchOnly(['s']);
  await asked[0]?.answer(long(5, [[], [], [], [item('new')]]));
  expect(useSessions.getState().watched['s']?.state.items).toEqual([[], [], [], [item('new')]]);
  rename(6, 'six');
  await drawn();
  await asked[1]?.answer(ok({ from: 1, items: [full('b'), full('c')] }));
  await asked[2]?.answer(ok({ from: 0, items: [full('a')] }));
  expect(asked.map(({ method, before }) => [method, before])).toEqual([
    ['session.watch', undefined],
    ['session.items', 3],
    ['session.items', 1],
  ]);
  expect(useSessions.getState().watched['s']).toMatchObject({ seq: 6, state: { title: 'six' } });
  expect(useSessions.getState().watched['s']?.state.items).toEqual([full('a'), full('b'), full('c'), [item('new')]]);
});

test('after a gap only the items are asked for that may have changed or are not there', async () => {
  const { asked, rename, sessions } = following();
  const call = { id: 'c', turn: 't', tool: 'x', level: 'none', input: {}, state: 'running', proposedAt: '' } as const;
  const live = [...full('b').slice(1), { kind: 'call', call } as const];
  sessions.watchOnly(['s']);
  await asked[0]?.answer(long(5, [full('a'), live, [item('new')]]));
  rename(9, 'nine');
  await drawn();
  await asked[1]?.answer(long(9, [[], [], [], [], [item('newest')]]));
  await asked[2]?.answer(ok({ from: 2, items: [full('c'), full('d')] }));
  await asked[3]?.answer(ok({ from: 1, items: [full('b')] }));
  expect(asked.slice(1).map(({ method, before }) => [method, before])).toEqual([
    ['session.watch', undefined],
    ['session.items', 4],
    ['session.items', 2],
  ]);
  expect(useSessions.getState().watched['s']?.state.items).toEqual([
    full('a'),
    full('b'),
    full('c'),
    full('d'),
    [item('newest')],
  ]);
});

test('older parts are asked for no more when the session is let go', async () => {
  const { asked, sessions } = following();
  sessions.watchOnly(['s']);
  await asked[0]?.answer(long(5, [[], [], [item('new')]]));
  sessions.watchOnly([]);
  await asked[1]?.answer(ok({ from: 1, items: [full('b')] }));
  expect(asked.map(({ method }) => method)).toEqual(['session.watch', 'session.items', 'session.unwatch']);
});

test('a fact of a session that nobody watches changes nothing', async () => {
  const { rename, asked } = following();
  rename(1, 'one', 'other');
  await drawn();
  expect([seen(), asked]).toEqual([{}, []]);
});

test('why a session cannot be shown is kept until it can; a lost link is not its fault', async () => {
  const { asked, sessions } = following();
  sessions.watchOnly(['s', 't']);
  await asked[0]?.answer(fail('SESSION_NOT_FOUND', 'It is gone.'));
  await asked[1]?.answer(fail('UNAVAILABLE', 'The link was lost.'));
  expect(useSessions.getState().failed).toEqual({ s: 'It is gone.' });
  sessions.refresh();
  await asked[2]?.answer(snapshot(1, 'back'));
  expect(useSessions.getState()).toMatchObject({ failed: {}, watched: { s: { seq: 1 } } });
  sessions.watchOnly(['t']);
  expect(seen()).toEqual({});
});

test('after a new connection each watched session is asked for anew, also where an answer of the old one is missing', async () => {
  const { asked, sessions } = following();
  sessions.watchOnly(['s']);
  await asked[0]?.answer(snapshot(5, 'five'));
  sessions.watchOnly(['s', 't']);
  sessions.refresh();
  expect(asked.map(({ session }) => session)).toEqual(['s', 't', 's', 't']);
  await asked[2]?.answer(snapshot(7, 'seven'));
  expect(seen()).toEqual({ s: '7 seven' });
});

test('what changes nothing leaves the mirror as it is', async () => {
  const { asked, rename, sessions } = following();
  sessions.watchOnly(['s', 't']);
  await asked[0]?.answer(snapshot(5, 'five'));
  await asked[1]?.answer(snapshot(5, 'five'));
  const before = useSessions.getState();
  rename(5, 'known already');
  await drawn();
  expect(useSessions.getState()).toBe(before);
  rename(6, 'six');
  await drawn();
  expect(useSessions.getState().watched['t']).toBe(before.watched['t']);
  sessions.watchOnly(['t']);
  expect([seen(), asked.at(-1)]).toMatchObject([{ t: '5 five' }, { method: 'session.unwatch', session: 's' }]);
});

test('after the end nothing is heard and nothing gathered is drawn', async () => {
  const { asked, rename, sessions, listeners } = following(never);
  sessions.watchOnly(['s']);
  await asked[0]?.answer(snapshot(5, 'five'));
  rename(6, 'six');
  sessions.dispose();
  sessions.flush();
  expect([listeners.size, seen()]).toEqual([0, { s: '5 five' }]);
});
