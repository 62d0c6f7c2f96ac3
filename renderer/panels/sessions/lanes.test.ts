import { expect, test } from 'vitest';
import type { Lane } from '../../../shared/model/lane.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { homeOfProject, homeOfSession } from '../../mirror/laneHomes.ts';
import { laneOf, movesOf } from './lanes.ts';
import { sessionRows } from './sessionRows.ts';

const session = (id: string, more: Partial<SessionSummary> = {}) =>
  ({
    id,
    project: '/a',
    updatedAt: '2026-05-20T10:00:00Z',
    archived: false,
    turns: 0,
    state: 'idle',
    ...more,
  }) as SessionSummary;
const inLane = (id: string, more: Partial<SessionSummary> = {}) =>
  session(id, { project: `/state/${id}`, lane: { name: 'idea', home: '/a', branch: 'vise/idea' }, ...more });
const byId = (...all: readonly SessionSummary[]) => Object.fromEntries(all.map((one) => [one.id, one]));

test('a session in a lane stands under the project that the lane belongs to, and under no other', () => {
  const all = [session('own'), inLane('lane'), session('other', { project: '/b' })];
  const wish = {
    state: 'all',
    showsArchived: false,
    pinned: ['lane'],
    isEverywhere: false,
    shown: null,
    nowMs: 0,
  } as const;
  const shown = (project: string) =>
    sessionRows(all, { ...wish, project }).flatMap((row) => (row.kind === 'session' ? [row] : []));
  expect(shown('/a').map((row) => row.session.id)).toEqual(['lane', 'own']);
  expect(shown('/a')[0]?.isElsewhere).toBe(false);
  expect(shown('/b').map((row) => row.session.id)).toEqual(['other']);
});

test('the folder of a lane on show leads to its project, another folder to itself', () => {
  const all = byId(session('own'), inLane('lane'));
  expect(homeOfProject(all, '/state/lane')).toBe('/a');
  expect(homeOfProject(all, '/a')).toBe('/a');
  expect(homeOfProject(all, null)).toBeNull();
  expect(homeOfSession(inLane('lane'))).toBe('/a');
});

test('a session whose lane gave its name to a later one stands in none', () => {
  const lanes = [{ name: 'idea', folder: '/state/later' } as Lane];
  expect(laneOf(lanes, inLane('later'))).toBe(lanes[0]);
  expect(laneOf(lanes, inLane('sooner'))).toBeUndefined();
  expect(laneOf(lanes, session('own'))).toBeUndefined();
});

test('lanes are looked at again when a session in one has moved on, not with each event or for others', () => {
  const before = movesOf(byId(session('own'), inLane('lane')), '/a');
  expect(movesOf(byId(session('own', { turns: 3 }), inLane('lane', { updatedAt: 'later' })), '/a')).toBe(before);
  expect(movesOf(byId(inLane('lane', { turns: 1 })), '/a')).not.toBe(before);
  expect(movesOf(byId(inLane('lane')), '/b')).toBe('');
});
