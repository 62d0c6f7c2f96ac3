import { expect, test } from 'vitest';
import { summaryOf } from '../../../shared/model/summary.ts';
import { createFakeHost } from '../../testing/fakeHost.ts';
import { playApproval, playDone } from '../../testing/moreScenes.ts';
import { workbench } from '../../testing/sceneParts.ts';
import { answersOf, newestSessions } from './answers.ts';

const host = createFakeHost(workbench);
playApproval(host, 'waits');
playDone(host, 'done');

test('only what was asked and answered is history, newest first over all sessions', () => {
  const at = (second: number): string => `2026-01-01T00:00:0${second}Z`;
  const [call] = Object.keys(host.state('waits').liveCalls);
  if (call === undefined) throw new Error('the scene has a question');
  const earlier = answersOf([host.state('waits'), host.state('done')]).length;
  host.emit('waits', {
    type: 'permission.answered',
    call,
    answer: { at: at(1), decision: 'deny', by: 'user', reason: 'too wide' },
  });
  const answers = answersOf([host.state('waits'), host.state('done')]);
  expect(answers).toHaveLength(earlier + 1);
  expect(answers.find((answer) => answer.call === call)).toMatchObject({
    session: 'waits',
    decision: 'deny',
    by: 'user',
    reason: 'too wide',
  });
  expect(answers.map((answer) => answer.at)).toEqual(
    answers.map((answer) => answer.at).toSorted((a, b) => b.localeCompare(a)),
  );
});

test('sessions without a turn, and those that cannot be read, have no history', () => {
  const summary = summaryOf(host.state('done'));
  const known = {
    ...workbench,
    sessions: {
      new: { ...summary, id: 'new', turns: 0 },
      old: { ...summary, id: 'old', updatedAt: '1' },
      late: { ...summary, id: 'late', updatedAt: '2' },
      broken: { ...summary, id: 'broken', broken: 'cut' },
    },
  };
  expect(newestSessions(known, 1)).toEqual(['late']);
  expect(newestSessions(known, 9)).toEqual(['late', 'old']);
});
