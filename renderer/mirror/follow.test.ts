import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../shared/contract/client.ts';
import { createFakeHost, type FakeHost } from '../testing/fakeHost.ts';
import { workbench } from '../testing/sceneParts.ts';
import { playReview } from '../testing/scenes.ts';
import type { Frames } from './batch.ts';
import { type Follower, follow } from './follow.ts';
import { useSessions } from './sessions.ts';
import { emptyWorkbench, useWorkbenchMirror } from './workbench.ts';

/** Hands entries over in a microtask: the order of things without a screen. */
const microFrames: Frames = {
  next(run) {
    let wanted = true;
    queueMicrotask(() => wanted && run());
    return () => {
      wanted = false;
    };
  },
};

const followers: Follower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.dispose();
  useSessions.setState({ watched: {}, failed: {} });
  useWorkbenchMirror.setState({ seq: -1, state: emptyWorkbench });
});

function following(host: FakeHost): Follower {
  const follower = follow(createClient(host.connect()), microFrames);
  followers.push(follower);
  return follower;
}

/** Frames cross in microtasks: a turn of the event loop lets all that were posted arrive. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the mirror equals the host, for what was before and what comes after', async () => {
  const host = createFakeHost(workbench);
  playReview(host, 's');
  const follower = following(host);
  await follower.refresh();
  follower.watchOnly(['s']);
  await settled();
  host.emit('s', { type: 'session.renamed', title: 'Another name' });
  await settled();
  expect(useSessions.getState().watched['s']?.state).toEqual(host.state('s'));
  expect(useWorkbenchMirror.getState().state.sessions['s']?.title).toBe('Another name');
});

test('a gap is filled by a snapshot', async () => {
  const host = createFakeHost(workbench);
  playReview(host, 's');
  const follower = following(host);
  await follower.refresh();
  follower.watchOnly(['s']);
  await settled();
  const known = useSessions.getState().watched['s'];
  if (!known) throw new Error('the session is not mirrored');
  // The window has missed the last facts.
  useSessions.setState({ watched: { s: { ...known, seq: known.seq - 5 } } });
  host.emit('s', { type: 'session.renamed', title: 'After the gap' });
  await settled();
  expect(useSessions.getState().watched['s']?.state).toEqual(host.state('s'));
});

test('a session that is not shown any more is let go, here and at the host', async () => {
  const host = createFakeHost(workbench);
  playReview(host, 's');
  const follower = following(host);
  await follower.refresh();
  follower.watchOnly(['s']);
  await settled();
  follower.watchOnly([]);
  await settled();
  expect({
    watched: useSessions.getState().watched,
    told: host.calls.some(({ method }) => method === 'session.unwatch'),
  }).toEqual({ watched: {}, told: true });
});
