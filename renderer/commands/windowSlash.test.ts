import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../shared/contract/client.ts';
import { createFakeHost, type FakeHandlers } from '../testing/fakeHost.ts';
import { playDone } from '../testing/moreScenes.ts';
import { project, workbench } from '../testing/sceneParts.ts';
import { useOverlay } from '../view/overlay.ts';
import { useShown } from '../view/shown.ts';
import { en } from '../words/en.ts';
import { runWindowSlash } from './windowSlash.ts';

const atFirst = useShown.getState();
afterEach(() => useShown.setState(atFirst, true));

function context(handlers: FakeHandlers = {}) {
  const host = createFakeHost(workbench, handlers);
  playDone(host, 'done');
  const session = host.state('done');
  useShown.setState({ project, session: 'done' });
  const client = createClient(host.connect());
  return { host, parts: { client, words: en, project, session, workbench } };
}

test('a mode is set for the session on show; one that there is not changes nothing', async () => {
  const { host, parts } = context({ 'session.configure': () => ({}) });
  expect(await runWindowSlash('mode', ['ask'], parts)).toBe(true);
  expect(await runWindowSlash('mode', ['fast'], parts)).toBe(false);
  expect(host.calls.map(({ method, input }) => [method, input])).toEqual([
    ['session.configure', { session: parts.session.id, mode: 'ask' }],
  ]);
});

test('a program to register is handed to the page of specs', async () => {
  expect(await runWindowSlash('register', ['jq'], context().parts)).toBe(true);
  expect(useOverlay.getState().open).toEqual({ kind: 'settings', section: 'specs', program: 'jq' });
});

test('what cannot be done now is refused in words, and the line stays', async () => {
  const { host, parts } = context();
  expect(await runWindowSlash('stop', [], parts)).toBe(false);
  expect(await runWindowSlash('load', ['nowhere'], parts)).toBe(false);
  expect(host.calls).toEqual([]);
});
