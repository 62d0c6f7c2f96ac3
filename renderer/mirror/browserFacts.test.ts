import { expect, test } from 'vitest';
import type { Item } from '../../shared/model/sessionState.ts';
import { append, emptyTimeline, type Timeline } from '../../shared/model/timeline.ts';
import { browserFacts } from './browserFacts.ts';

const gave = (data: unknown, success = true): Item => ({
  kind: 'call',
  call: {
    id: 'c',
    turn: 't',
    tool: 'x',
    input: {},
    level: 'none',
    state: 'finished',
    proposedAt: '',
    finishedAt: 'then',
    result: success ? { success, data } : { success, error: { code: 'TIMEOUT', message: '' } },
  },
});
const facts = (...items: readonly Item[]) =>
  browserFacts({ items: items.reduce<Timeline<Item>>((list, item) => append(list, item), emptyTimeline) });
const page = (tabId: number, url: string, title = '') => gave({ tabId, url, title });
const picture = { tabId: 1, imageData: 'aGk=', mimeType: 'image/png', width: 4, height: 3 };

test('a page that was opened is a tab, another address in it replaces the first, and the last one acted on is active', () => {
  expect(
    facts(
      page(1, 'http://a.example.com/', 'A'),
      page(2, 'http://b.example.com/'),
      page(1, 'http://c.example.com/', 'C'),
    ),
  ).toEqual({
    tabs: [
      { id: 1, url: 'http://c.example.com/', title: 'C' },
      { id: 2, url: 'http://b.example.com/', title: '' },
    ],
    active: 1,
    picture: null,
  });
});

test('the newest picture stands until there is a newer one, and keeps the address of its tab', () => {
  const seen = facts(page(1, 'http://a.example.com/'), gave(picture), gave({ tabId: 1, typed: true }));
  expect(seen).toEqual({
    tabs: [{ id: 1, url: 'http://a.example.com/', title: '' }],
    active: 1,
    picture: { base64: 'aGk=', mediaType: 'image/png', at: 'then', tab: 1, width: 4, height: 3 },
  });
});

test('a list of tabs replaces what was known; a closed tab is gone', () => {
  const listed = gave({ tabs: [{ id: 3, url: 'http://d.example.com/', title: 'D', active: true }] });
  expect(facts(page(1, 'http://a.example.com/'), listed)).toMatchObject({ tabs: [{ id: 3 }], active: 3 });
  expect(facts(page(1, 'x:a'), page(2, 'x:b'), gave({ tabId: 2, closed: true }))).toMatchObject({
    tabs: [{ id: 1 }],
    active: 1,
  });
});

test('a picture that is none, a failure, and tabs of something else change nothing', () => {
  expect(
    facts(
      gave({ ...picture, tabId: 'x' }),
      gave({ tabs: ['a', 'b'] }),
      gave({ tabs: 2 }),
      gave(picture, false),
      gave(null),
    ),
  ).toEqual({ tabs: [], active: null, picture: null });
  expect(facts(gave({ ...picture, mimeType: 'image/svg+xml' })).picture).toBe(null);
});
