import { expect, test } from 'vitest';
import { mayScroll, type SeenScroll, wishOf } from './useStayAtEnd.ts';

const scroller = {} as EventTarget;
const button = {} as EventTarget;

test('wheel, finger, scroll keys and the scrollbar scroll; a click or Enter on a button in a row does not', () => {
  const events = [
    { type: 'wheel', target: button },
    { type: 'touchmove', target: button },
    { type: 'keydown', target: scroller, key: 'PageUp' },
    { type: 'keydown', target: button, key: 'Enter' },
    { type: 'pointerdown', target: scroller },
    { type: 'pointerdown', target: button },
    { type: 'pointermove', target: button, buttons: 1 },
    { type: 'pointermove', target: button, buttons: 0 },
  ];
  expect(events.map((event) => mayScroll(event, scroller))).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
});

test('the end is left by the person or a long way up, not by rows that find their height or a button brought to the middle', () => {
  const seen: SeenScroll = { gap: 200, clientHeight: 600, isUp: true, isPersons: false, isResized: false };
  const scrolls: readonly Partial<SeenScroll>[] = [
    { isPersons: true },
    { isPersons: true, isResized: true },
    {},
    { isResized: true },
    { gap: 900 },
    { gap: 900, isResized: true },
    { gap: 900, isUp: false },
    { gap: 20, isPersons: true },
  ];
  expect(scrolls.map((scroll) => wishOf({ ...seen, ...scroll }))).toEqual([
    'leave',
    'leave',
    null,
    null,
    'leave',
    null,
    null,
    'stay',
  ]);
});
