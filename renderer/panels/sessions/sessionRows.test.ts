import { expect, test } from 'vitest';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { sessionRows, type Wish } from './sessionRows.ts';

const now = new Date(2026, 4, 20, 15, 0);
const at = (daysAgo: number, hour: number): string => new Date(2026, 4, 20 - daysAgo, hour).toISOString();
const session = (id: string, updatedAt: string, more: Partial<SessionSummary> = {}) =>
  ({ id, project: '/a', updatedAt, archived: false, state: 'idle', lastOutcome: 'done', ...more }) as SessionSummary;

const sessions = [
  session('old', at(40, 9)),
  session('now', at(0, 9), { state: 'waiting' }),
  session('late', at(1, 23), { lastOutcome: 'failed' }),
  session('week', at(6, 1), { state: 'running', lastOutcome: 'failed' }),
  session('other', at(0, 8), { project: '/b' }),
  session('archived', at(0, 7), { archived: true }),
];
const wish: Wish = {
  state: 'all',
  showsArchived: false,
  pinned: [],
  isEverywhere: false,
  project: '/a',
  shown: null,
  nowMs: now.getTime(),
};
/** Rows in short: ids, and heads in brackets. */
const short = (more: Partial<Wish>): readonly string[] =>
  sessionRows(sessions, { ...wish, ...more }).map((row) =>
    row.kind === 'session' ? row.session.id : `[${typeof row.of === 'string' ? row.of : row.of.project}]`,
  );

test('sessions stand by the day they were touched last, newest first', () => {
  expect(short({})).toEqual(['[today]', 'now', '[yesterday]', 'late', '[week]', 'week', '[older]', 'old']);
});

test('those of all projects stand by project, the one on show first, and today alone needs no head', () => {
  expect(short({ isEverywhere: true })).toEqual([
    '[/a]',
    ...['[today]', 'now', '[yesterday]', 'late', '[week]', 'week', '[older]', 'old'],
    '[/b]',
    'other',
  ]);
});

test('pinned ones stand on top, of whatever day', () => {
  expect(short({ pinned: ['old', 'gone'] }).slice(0, 4)).toEqual(['[pinned]', 'old', '[today]', 'now']);
});

test('a pinned one of another project is elsewhere', () => {
  const rows = sessionRows(sessions, { ...wish, pinned: ['old', 'other'], isEverywhere: true });
  expect(rows.slice(1, 4).map((row) => row.kind === 'session' && [row.session.id, row.isElsewhere])).toEqual([
    ['other', true],
    ['old', false],
    false,
  ]);
});

test('by state: what waits, what runs, what has failed and does not run again', () => {
  expect(short({ state: 'waiting' })).toEqual(['now']);
  expect(short({ state: 'running' })).toEqual(['[week]', 'week']);
  expect(short({ state: 'failed' })).toEqual(['[yesterday]', 'late']);
});

test('archived ones are shown when they are asked for', () => {
  expect(short({ showsArchived: true }).slice(0, 3)).toEqual(['[today]', 'now', 'archived']);
});

test('subagents stand below their session while they work or it is on show', () => {
  const of = (id: string, state: SessionSummary['state'], call: string) =>
    session(id, at(0, 10), { state, subagentOf: { session: 'now', call } });
  const rows = (shown: string | null) =>
    sessionRows([...sessions, of('works', 'running', 'a'), of('done', 'idle', 'b')], { ...wish, shown }).flatMap(
      (row) => (row.kind === 'session' ? [row.session.id] : []),
    );
  expect([rows(null), rows('now')]).toEqual([
    ['now', 'works', 'late', 'week', 'old'],
    ['now', 'works', 'done', 'late', 'week', 'old'],
  ]);
});
