import { expect, test } from 'vitest';
import type { SessionSummary } from '../../shared/model/workbench.ts';
import { newsBetween } from './news.ts';

const summary = (more: Partial<SessionSummary>): SessionSummary => ({
  id: 's',
  project: '/p',
  title: 'Mend it',
  createdAt: '',
  updatedAt: '',
  archived: false,
  mode: 'direct',
  phase: 'IDLE',
  provider: '',
  model: '',
  state: 'running',
  lastOutcome: null,
  waiting: 0,
  tasks: { running: 0, queued: 0 },
  turns: 1,
  ...more,
});
const kinds = (before: Partial<SessionSummary>, after: Partial<SessionSummary>): readonly string[] =>
  newsBetween({ s: summary(before) }, { s: summary(after) }).map(({ kind }) => kind);

test('a question more is news, one less is none', () => {
  expect([kinds({}, { state: 'waiting', waiting: 1 }), kinds({ waiting: 2 }, { waiting: 1 })]).toEqual([['waits'], []]);
});

test('a turn that ended is news with how it ended, unless the person stopped it', () => {
  const ended = (['done', 'failed', 'blocked', 'cancelled'] as const).map((lastOutcome) =>
    kinds({}, { state: 'idle', lastOutcome }),
  );
  expect(ended).toEqual([['done'], ['failed'], ['blocked'], []]);
});

test('a turn that began and ended between two looks is news', () => {
  const idle = { state: 'idle', lastOutcome: 'done' } as const;
  expect(kinds({ ...idle, turns: 1 }, { ...idle, turns: 2 })).toEqual(['done']);
});

test('what was so before is no news, and neither is a session that is new', () => {
  const idle = { state: 'idle', lastOutcome: 'done' } as const;
  expect([kinds(idle, { ...idle, title: 'Renamed' }), newsBetween({}, { s: summary({ waiting: 1 }) })]).toEqual([
    [],
    [],
  ]);
});
