import { expect, test } from 'vitest';
import { emptySession, type Item, type SessionState } from '../../../shared/model/sessionState.ts';
import { afterLeftOut, append, emptyTimeline, filledFrom, type Timeline } from '../../../shared/model/timeline.ts';
import { partBefore, withNewestPart } from './timelineParts.ts';

const item = (index: number, text = 'x'.repeat(2_000)): Item => ({
  kind: 'system',
  turn: 't',
  at: '',
  text: `${index} ${text}`,
});
const call = (id: string): Item => ({
  kind: 'call',
  call: { id, turn: 't', tool: 'x', level: 'none', input: {}, state: 'running', proposedAt: '' },
});
const notice: Item = { kind: 'notice', at: '', level: 'info', code: 'x', text: '' };
const timelineOf = (items: readonly Item[]): Timeline<Item> => items.reduce<Timeline<Item>>(append, emptyTimeline);
/** Some 250 KB a chunk. */
const long = (items: number): SessionState => ({
  ...emptySession,
  items: timelineOf(Array.from({ length: items }, (_, index) => item(index))),
});
const lengths = ({ items }: Pick<SessionState, 'items'>): readonly number[] => items.map((chunk) => chunk.length);

test('a timeline comes whole in parts of a bounded size, the newest first', () => {
  const state = long(1_300);
  let { items } = withNewestPart(state);
  const sizes = [JSON.stringify(items).length];
  for (let before = afterLeftOut(items); before > 0; before = afterLeftOut(items)) {
    const part = partBefore(state.items, before);
    sizes.push(JSON.stringify(part).length);
    items = filledFrom(items, part.from, part.items);
  }
  expect(items).toEqual(state.items);
  expect([sizes.length, Math.max(...sizes) < 600_000]).toEqual([10, true]);
});

test('a short session is given as it is', () => {
  const state = long(100);
  expect(withNewestPart(state)).toBe(state);
  expect(withNewestPart(emptySession)).toBe(emptySession);
});

test('with the newest part come all calls that are not finished', () => {
  const state = long(1_300);
  expect(lengths(withNewestPart({ ...state, liveCalls: { c: 700 } }))).toEqual([
    0, 0, 0, 0, 0, 128, 128, 128, 128, 128, 20,
  ]);
});

test('with the newest part comes the newest item that is more than a notice', () => {
  const items = timelineOf([
    ...Array.from({ length: 256 }, (_, index) => item(index)),
    call('c'),
    ...Array(300).fill(notice),
  ]);
  const grown = {
    ...emptySession,
    items: items.map((chunk, at) =>
      at < 3 ? chunk : chunk.map((_, index) => ({ ...notice, text: `${index}${'x'.repeat(7_000)}` })),
    ),
  };
  expect(lengths(withNewestPart(grown))).toEqual([0, 0, 128, 128, 45]);
});

test('a chunk that is larger than a part is one by itself', () => {
  const items = timelineOf(Array.from({ length: 300 }, (_, index) => item(index, 'x'.repeat(10_000))));
  expect([partBefore(items, 3).from, partBefore(items, 2).from, partBefore(items, 1)]).toEqual([
    2,
    1,
    { from: 0, items: items.slice(0, 1) },
  ]);
});
