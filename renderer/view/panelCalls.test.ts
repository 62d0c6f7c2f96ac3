import { expect, test } from 'vitest';
import { callPanel, offerPanel } from './panelCalls.ts';

test('a panel on show does at once what it is asked', () => {
  const done: string[] = [];
  const stop = offerPanel('composer', { focus: () => done.push('focus') });
  callPanel('composer', (composer) => composer.focus());
  stop();
  expect(done).toEqual(['focus']);
});

test('what is asked of a panel that is not there waits until it comes, and only once', () => {
  const done: string[] = [];
  callPanel('screen', (screen) => screen.focus(), 'k1');
  const other = offerPanel('screen', { focus: () => done.push('k2') }, 'k2');
  other();
  const stop = offerPanel('screen', { focus: () => done.push('k1') }, 'k1');
  stop();
  offerPanel('screen', { focus: () => done.push('again') }, 'k1')();
  expect(done).toEqual(['k1']);
});

test('of what waits for one panel only the newest is done', () => {
  const done: number[] = [];
  callPanel('viewer', (viewer) => viewer.reveal({ line: 1, column: 1 }), 'a.ts');
  callPanel('viewer', (viewer) => viewer.reveal({ line: 2, column: 1 }), 'b.ts');
  offerPanel('viewer', { reveal: ({ line }) => done.push(line) }, 'a.ts')();
  offerPanel('viewer', { reveal: ({ line }) => done.push(line) }, 'b.ts')();
  expect(done).toEqual([2]);
});

test('a panel that has gone is asked no more', () => {
  const done: string[] = [];
  offerPanel('composer', { focus: () => done.push('gone') })();
  callPanel('composer', (composer) => composer.focus());
  offerPanel('composer', { focus: () => done.push('here') })();
  expect(done).toEqual(['here']);
});
