import { expect, test } from 'vitest';
import { splitAt } from './splitAt.ts';

test('found places stand at odd indexes, and the parts joined are the text', () => {
  expect([splitAt('An error, an ERROR', 'error', false), splitAt('error ERROR', 'ERROR', true)]).toEqual([
    ['An ', 'error', ', an ', 'ERROR', ''],
    ['error ', 'ERROR', ''],
  ]);
});

test('a text whose length changes with its case is not marked at wrong places', () => {
  expect(splitAt('İİ error', 'error', false)).toEqual(['İİ error']);
});

test('nothing sought, nothing split', () => {
  expect(splitAt('text', '', false)).toEqual(['text']);
});
