import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { fail, ok } from '../../../shared/result.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { ProposedChange } from '../workspace/proposedChange.ts';
import { plainStyle } from '../workspace/textFile.ts';
import { createCallStages } from './callStages.ts';

const change = (path: string): ProposedChange => ({
  path,
  status: 'added',
  before: null,
  after: { text: `${path}\n`, like: plainStyle },
});
const share = (path: string) => ({ changes: [change(path)], files: [] });

/** Stages over hands that only remember what they were given; `isFull` lets them fail. */
function stagesOver({ isFull = false } = {}) {
  const writes: string[][] = [];
  const facts: SessionEvent[] = [];
  const applyChanges: FileHands['applyChanges'] = async (changes, _files, fact) => {
    writes.push(changes.map(({ path }) => path));
    if (isFull) return fail('DISK_FULL', 'no room');
    const shape = {
      status: 'added',
      before: null,
      after: null,
      additions: 1,
      deletions: 0,
      verdict: 'applied',
    } as const;
    const written = changes.map(({ path }) => ({ path, ...shape }));
    const told = fact?.of(written);
    if (told) fact?.emit(told);
    return ok(written);
  };
  const stages = createCallStages({ applyChanges }, (event) => facts.push(event));
  return { stages, writes, facts };
}

test('a call that is allowed alone writes at once, and its end is one fact', async () => {
  const { stages, writes, facts } = stagesOver();
  stages.open('a');
  expect(stages.isUndecided('a')).toBe(true);
  stages.decide('a');
  expect(stages.isUndecided('a')).toBe(false);
  expect(await stages.write('a', 't', share('x'))).toMatchObject({ ok: true, value: [{ path: 'x' }] });
  expect(writes).toEqual([['x']]);
  expect(facts).toMatchObject([{ type: 'change.applied', call: 'a', turn: 't' }]);
  expect(facts[0]).not.toHaveProperty('calls');
});

test('calls of one answer write once, when the last of them has given or ended, in the order of the reply', async () => {
  const { stages, writes, facts } = stagesOver();
  for (const call of ['a', 'b', 'c']) stages.ask(call);
  for (const call of ['b', 'a', 'c']) stages.decide(call, ['a', 'b', 'c']);
  const second = stages.write('b', 't', share('y'));
  const first = stages.write('a', 't', share('x'));
  expect(writes).toEqual([]);
  stages.end('c');
  expect(await Promise.all([first, second])).toMatchObject([{ value: [{ path: 'x' }] }, { value: [{ path: 'y' }] }]);
  expect(writes).toEqual([['x', 'y']]);
  expect(facts).toMatchObject([{ type: 'change.applied', call: 'a', calls: ['a', 'b'] }]);
});

test('calls of one answer fail as one, and no fact says that something was written', async () => {
  const { stages, facts } = stagesOver({ isFull: true });
  for (const call of ['a', 'b']) stages.ask(call);
  for (const call of ['a', 'b']) stages.decide(call, ['a', 'b']);
  const both = await Promise.all([stages.write('a', 't', share('x')), stages.write('b', 't', share('y'))]);
  expect(both.map((result) => (result.ok ? 'ok' : result.error.code))).toEqual(['DISK_FULL', 'DISK_FULL']);
  expect(facts).toEqual([]);
});

test('what lies below an edit is known when the lower call has ended, or waits with it in one write', async () => {
  const { stages } = stagesOver();
  for (const call of ['a', 'b', 'alone']) stages.ask(call);
  for (const call of ['a', 'b']) stages.decide(call, ['a', 'b']);
  stages.decide('alone');
  const below = stages.below(['a', 'alone'], 'b');
  void stages.write('a', 't', share('x'));
  let isKnown = false;
  void below.then(() => {
    isKnown = true;
  });
  await Promise.resolve();
  expect(isKnown).toBe(false);
  stages.end('alone');
  expect((await below).map(({ path }) => path)).toEqual(['x']);
  void stages.write('b', 't', share('y'));
});

test('a question is reached when it is asked or its call has ended', async () => {
  const { stages } = stagesOver();
  const reached = [stages.untilAsked('a'), stages.untilAsked('b')];
  stages.ask('a');
  stages.end('b');
  expect(await Promise.all(reached)).toEqual([undefined, undefined]);
});
