import { expect, test } from 'vitest';
import { createClient } from '../../../shared/contract/client.ts';
import { waitingChanges } from '../../mirror/selectors.ts';
import { createFakeHost } from '../../testing/fakeHost.ts';
import { workbench } from '../../testing/sceneParts.ts';
import { playReview } from '../../testing/scenes.ts';
import { blockedCalls, lookForStale } from './useStale.ts';

test('files that have moved on are found call by call, and block their own call alone', async () => {
  const host = createFakeHost(workbench, {
    'change.fresh': ({ call }) => ({
      stale: call === 'c6' ? [{ path: 'src/slug.ts', why: 'its content has changed' }] : [],
    }),
  });
  playReview(host, 'r');
  const waiting = waitingChanges(host.state('r'));
  const stale = await lookForStale(createClient(host.connect()), 'r', ['c6', 'c7']);
  expect([stale, [...blockedCalls(waiting, stale)]]).toEqual([{ 'src/slug.ts': 'its content has changed' }, ['c6']]);
});

test('an edit that lies upon a stale one in the same file is blocked with it; a call that cannot be asked is not', async () => {
  const host = createFakeHost(workbench);
  playReview(host, 'r');
  const [first, second] = waitingChanges(host.state('r'));
  if (!first || !second) throw new Error('the scene has two waiting edits');
  const upon = { ...second, change: { ...second.change, path: first.change.path } };
  expect([...blockedCalls([first, upon], { [first.change.path]: 'it is gone' })]).toEqual([first.call, second.call]);
  expect(await lookForStale(createClient(host.connect()), 'r', [first.call])).toEqual({});
});
