import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../shared/contract/client.ts';
import { createFakeHost, type FakeHost } from '../testing/fakeHost.ts';
import { workbench } from '../testing/sceneParts.ts';
import { playReview } from '../testing/scenes.ts';
import { type Follower, follow } from './follow.ts';
import type { Frames } from './restingFrames.ts';
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

/** A page that is never drawn. */
const noFrames: Frames = { next: () => () => undefined };

const followers: Follower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.dispose();
  useSessions.setState({ watched: {}, failed: {} });
  useWorkbenchMirror.setState({ seq: -1, state: emptyWorkbench });
});

function following(host: FakeHost, frames = microFrames): Follower {
  const follower = follow(createClient(host.connect()), frames);
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

test('an answer never overtakes the facts that came before it, though no frame is drawn', async () => {
  const host = createFakeHost(workbench, {
    'session.rename': ({ session, title }) => {
      host.emit(session, { type: 'session.renamed', title });
      return {};
    },
  });
  playReview(host, 's');
  const follower = following(host, noFrames);
  await follower.refresh();
  follower.watchOnly(['s']);
  await settled();
  await follower.client.call('session.rename', { session: 's', title: 'By its answer' });
  expect({
    session: useSessions.getState().watched['s']?.state.title,
    listed: useWorkbenchMirror.getState().state.sessions['s']?.title,
  }).toEqual({ session: 'By its answer', listed: 'By its answer' });
});

test('an answer that comes while a gap is being filled waits for the snapshot', async () => {
  const host = createFakeHost(workbench, {
    'settings.set': () => {
      // The frame with this fact is lost on its way.
      useWorkbenchMirror.setState(({ seq }) => ({ seq: seq - 1 }));
      host.change({ type: 'settings.changed', settings: { ...workbench.settings, theme: 'light' } });
      return {};
    },
  });
  host.change({ type: 'projects.changed', projects: [] });
  const follower = following(host, noFrames);
  await follower.refresh();
  await follower.client.call('settings.set', { settings: workbench.settings });
  expect(useWorkbenchMirror.getState().state.settings.theme).toBe('light');
});

test('facts that come before the snapshot they belong behind are kept for it', async () => {
  const host = createFakeHost(workbench);
  const raw = createClient(host.connect());
  const follower = follow(
    {
      ...raw,
      async call(method, input) {
        const answer = await raw.call(method, input);
        if (method !== 'workbench.watch') return answer;
        host.change({ type: 'sandbox.known', available: false, why: 'late' });
        await settled();
        return answer;
      },
    },
    microFrames,
  );
  followers.push(follower);
  await follower.refresh();
  expect(useWorkbenchMirror.getState().state.sandbox).toEqual({ available: false, why: 'late' });
});
