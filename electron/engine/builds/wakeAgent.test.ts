import { expect, test } from 'vitest';
import type { Build } from '../../../shared/model/build.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession, type SessionState } from '../../../shared/model/sessionState.ts';
import { noUsage } from '../../../shared/model/usage.ts';
import { ok } from '../../../shared/result.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { createAgentWaker } from './wakeAgent.ts';

const error = (message: string, written = true): Build['findings'][number] => ({
  check: 'build',
  severity: 'error',
  message,
  file: 'a.ts',
  line: 1,
  ...(written ? { written: { changeSet: 'change_1', path: 'a.ts', hunk: 0 } } : {}),
});
const red = (...findings: Build['findings']): Build => ({
  task: 'task_1',
  state: 'red',
  at: '',
  errors: findings.length,
  warnings: 0,
  findings,
});
const green: Build = { task: 'task_1', state: 'green', at: '', errors: 0, warnings: 0, findings: [] };

function trial(budget = 10) {
  const clock = new ManualClock();
  let state: SessionState = emptySession;
  let rested = Promise.resolve();
  const sent: string[] = [];
  const emit = (event: SessionEvent): void => {
    state = reduce(state, { seq: 0, at: '', session: 's', event });
  };
  const task = {
    id: 'task_1',
    title: '',
    command: 'tsc -w',
    mode: 'shell',
    cwd: '/',
    kind: 'agent',
    state: 'running',
  } as const;
  emit({ type: 'task.started', task: { ...task, createdAt: '', outputBytes: 0 } });
  const waker = createAgentWaker({
    state: () => state,
    budget: () => budget,
    rest: () => rested,
    clock,
    async send({ text }) {
      sent.push(text);
      const turn = `turn_${sent.length}`;
      emit({ type: 'turn.started', turn, text });
      emit({ type: 'usage', turn, usage: { ...noUsage, requests: 2 } });
      return ok({ turn });
    },
  });
  return {
    sent,
    waker,
    clock,
    emit,
    hold(until: Promise<void>) {
      rested = until;
    },
    /** The build ends so, and all is calm after it. */
    async round(build: Build): Promise<void> {
      emit({ type: 'build.changed', build });
      waker.changed();
      clock.advance(2_000);
      for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    },
  };
}

test('the agent is woken when a build turns red by its edits, finds other errors, or is green again; not by the same once more', async () => {
  const { round, sent } = trial();
  await round(red(error('one')));
  await round(red({ ...error('one'), line: 7 }));
  await round(red(error('one'), error('two')));
  await round(green);
  await round(green);
  expect(sent).toEqual([
    'The build `tsc -w` is red: 1 error in a.ts. Mend what your edits broke, and leave the rest.',
    'The build `tsc -w` is red: 2 errors in a.ts. Mend what your edits broke, and leave the rest.',
    'The build `tsc -w` is green again.',
  ]);
});

test('errors that nothing of the session caused wake nobody, nor does a build that was green from the start', async () => {
  const { round, sent } = trial();
  await round(green);
  await round(red(error('old', false)));
  expect(sent).toEqual([]);
});

test('ten idle minutes under a red build wake nobody', async () => {
  const { round, sent, clock } = trial();
  await round(red(error('one')));
  clock.advance(600_000);
  await round(red(error('one')));
  expect(sent).toHaveLength(1);
});

test('the budget of requests holds until the person says something', async () => {
  const { round, sent, waker, emit } = trial(4);
  await round(red(error('one')));
  expect(waker.left('turn_1')).toBe(2);
  await round(red(error('two')));
  expect(waker.left('turn_2')).toBe(0);
  await round(red(error('three')));
  expect(sent).toHaveLength(2);
  emit({ type: 'turn.started', turn: 'turn_person', text: 'go on' });
  expect(waker.left('turn_person')).toBeUndefined();
  await round(red(error('four')));
  expect(sent).toHaveLength(3);
});

test('without a budget nobody is woken', async () => {
  const { round, sent } = trial(0);
  await round(red(error('one')));
  expect(sent).toEqual([]);
});

test('while a turn runs the agent is left alone, and after it told how things stand then', async () => {
  const { round, sent, hold } = trial();
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  await round(red(error('half done')));
  await round(red(error('as it stands')));
  expect(sent).toEqual([]);
  resolve();
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  expect(sent).toHaveLength(1);
});
