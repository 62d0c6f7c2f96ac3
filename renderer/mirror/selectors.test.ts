import { expect, test } from 'vitest';
import { summaryOf } from '../../shared/model/summary.ts';
import { createFakeHost } from '../testing/fakeHost.ts';
import { playApproval, playDone } from '../testing/moreScenes.ts';
import { project, workbench } from '../testing/sceneParts.ts';
import { playReview } from '../testing/scenes.ts';
import {
  inboxEntries,
  latestProject,
  latestSession,
  sessionsOf,
  tasksInOrder,
  undoable,
  waitingChanges,
  waitingSessions,
} from './selectors.ts';

const host = createFakeHost(workbench);
playDone(host, 'done');
playApproval(host, 'approval');
playReview(host, 'review');
const mirror = {
  watched: Object.fromEntries(
    ['done', 'approval', 'review'].map((id) => [id, { seq: 1, state: host.state(id), draft: '' }]),
  ),
  failed: {},
};

test('edits that wait are one list, with the call of each', () => {
  expect(waitingChanges(host.state('review')).map(({ call, change }) => [call, change.path])).toEqual([
    ['c6', 'src/slug.ts'],
    ['c7', 'src/slug.test.ts'],
  ]);
});

test('selectors that make fresh objects give the same ones while nothing changed', () => {
  expect(waitingChanges(host.state('review'))).toBe(waitingChanges(host.state('review')));
  expect(inboxEntries(mirror)).toBe(inboxEntries(mirror));
});

test('the inbox holds the questions of all sessions, oldest first, the edits of one turn as one', () => {
  const entries = inboxEntries(mirror);
  const times = entries.map(({ calls }) => calls[0].approval?.askedAt ?? '');
  expect({
    sizes: entries.map(({ calls }) => calls.length).toSorted((a, b) => a - b),
    sorted: times.toSorted(),
  }).toEqual({
    sizes: [1, 1, 1, 2],
    sorted: times,
  });
});

test('tasks: running first, then the queue, then what ended', () => {
  expect(tasksInOrder(host.state('review')).map(({ state }) => state)).toEqual(['running', 'queued', 'completed']);
});

test('the newest applied change set can be taken back; without one, none', () => {
  expect([undoable(host.state('done'))?.id, undoable(host.state('review'))]).toEqual(['g1', undefined]);
});

test('the latest project is the one opened last of those that are there', () => {
  const gone = { ...workbench, projects: workbench.projects.map((each, at) => ({ ...each, exists: at > 0 })) };
  expect([latestProject(workbench), latestProject(gone)]).toEqual([project, '/home/mira/code/tide-tables']);
});

test('sessions of another project are not listed, and only those that wait are watched for the inbox', () => {
  const summary = (id: string, waiting: number, where = project) => ({
    id,
    project: where,
    title: '',
    createdAt: id,
    updatedAt: '',
    archived: false,
    mode: 'direct' as const,
    phase: 'IDLE' as const,
    provider: '',
    model: '',
    state: 'idle' as const,
    lastOutcome: null,
    waiting,
    tasks: { running: 0, queued: 0 },
    turns: 0,
  });
  const known = {
    ...workbench,
    sessions: { a: summary('a', 0), b: summary('b', 2), c: summary('c', 1, '/elsewhere') },
  };
  expect({ listed: sessionsOf(known, project).map(({ id }) => id), watched: waitingSessions(known) }).toEqual({
    listed: ['b', 'a'],
    watched: ['b', 'c'],
  });
});

test('the latest session is the one where something happened last, archived and broken ones aside', () => {
  const line = (id: string, updatedAt: string, more = {}) => ({
    ...summaryOf(host.state('done')),
    id,
    updatedAt,
    ...more,
  });
  const known = {
    ...workbench,
    sessions: {
      a: line('a', '2026-01-02'),
      b: line('b', '2026-01-03'),
      c: line('c', '2026-01-04', { archived: true }),
      d: line('d', '2026-01-05', { broken: 'torn' }),
    },
  };
  expect([latestSession(known, project), latestSession(known, '/elsewhere')]).toEqual(['b', undefined]);
});
