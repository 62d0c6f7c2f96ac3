import { beforeEach, expect, test } from 'vitest';
import { emptySession } from '../../shared/model/sessionState.ts';
import { useSessions } from '../mirror/sessions.ts';
import { addPaths, currentDraft, moveDraft, withPaths, writeDraft } from './drafts.ts';
import { useShown } from './shown.ts';

beforeEach(() => useShown.setState({ project: '/p', session: null }));

test('paths are mentioned behind what is there', () => {
  expect([withPaths('', ['a']), withPaths('see', ['a', 'b'])]).toEqual(['@a ', 'see @a @b ']);
});

test('each session has its own draft, which begins with the one that the engine kept', () => {
  useSessions.setState({ watched: { s1: { seq: 1, state: emptySession, draft: 'half a' } }, failed: {} });
  useShown.setState({ session: 's1' });
  addPaths(['x.ts']);
  const first = currentDraft();
  useShown.setState({ session: 's2' });
  expect([first, currentDraft()]).toEqual([
    { text: 'half a @x.ts ', paths: ['x.ts'] },
    { text: '', paths: [] },
  ]);
});

test('a draft goes along into the session that is made for it', () => {
  writeDraft({ text: 'do it', paths: ['a'] });
  moveDraft('/p', 's3');
  const left = currentDraft();
  useShown.setState({ session: 's3' });
  expect([left, currentDraft()]).toEqual([
    { text: '', paths: [] },
    { text: 'do it', paths: ['a'] },
  ]);
});
