import { expect, test } from 'vitest';
import { mayScroll } from './useStayAtEnd.ts';

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
