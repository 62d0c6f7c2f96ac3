import { expect, test } from 'vitest';
import { painted } from '../terminal/spans.ts';
import { afterKey, completed, type Key, laidOut, nothingTyped, type Typed } from './editText.ts';

/** The text after these keys, the cursor shown as `|`. A string of several letters is typed letter by letter. */
function typed(...keys: readonly (string | Key)[]): string {
  let now: Typed = nothingTyped;
  for (const key of keys.flatMap((one): readonly (string | Key)[] => (typeof one === 'string' ? [...one] : [one]))) {
    const after = typeof key === 'string' ? afterKey(now, key, {}) : afterKey(now, undefined, key);
    if (typeof after === 'string') return `${after}: ${now.text}`;
    now = after;
  }
  return `${now.text.slice(0, now.at)}|${now.text.slice(now.at)}`;
}

const enter = { name: 'return' };
const left = { name: 'left' };

test('Enter sends; behind a backslash, with Alt and with Shift it begins a new line', () => {
  expect(typed('one', enter)).toBe('submit: one');
  expect(typed('one\\', enter, 'two')).toBe('one\ntwo|');
  expect(typed('one', { name: 'return', meta: true }, 'two')).toBe('one\ntwo|');
  expect(typed('one', { sequence: '\u001B[13;2u' }, 'two')).toBe('one\ntwo|');
});

test('letters of several parts are moved over and erased whole', () => {
  let now: Typed = { text: 'a👩‍👩‍👧b', at: 'a👩‍👩‍👧'.length };
  now = afterKey(now, undefined, { name: 'backspace' }) as Typed; // an edit is no wish
  expect(now).toEqual({ text: 'ab', at: 1 });
});

test('the usual keys move by letters, words and lines', () => {
  expect(typed('one two', { ctrl: true, name: 'a' })).toBe('|one two');
  expect(typed('one two', { meta: true, name: 'b' })).toBe('one |two');
  expect(typed('one two', { ctrl: true, name: 'w' })).toBe('one |');
  expect(typed('one two', left, left, { ctrl: true, name: 'k' })).toBe('one t|');
  expect(typed('one two', left, { ctrl: true, name: 'u' })).toBe('|o');
  expect(typed('ab', { ctrl: true, name: 'd' })).toBe('ab|');
  expect(typed({ ctrl: true, name: 'd' })).toBe('end: ');
});

test('up and down move within many lines, then through what was typed before', () => {
  const lines = ['abc\\', enter, 'd'];
  expect(typed(...lines, { name: 'up' })).toBe('a|bc\nd');
  expect(typed(...lines, { name: 'up' }, { name: 'down' })).toBe('abc\nd|');
  expect(typed(...lines, { name: 'up' }, { name: 'up' })).toBe('older: abc\nd');
  expect(typed(...lines, { name: 'down' })).toBe('newer: abc\nd');
});

test('a key without a meaning changes nothing', () => {
  expect(typed('a', { name: 'f5', sequence: '\u001B[15~' }, { ctrl: true, name: 'x' })).toBe('a|');
});

test('what is typed is shown within the width, with the cursor in its place', () => {
  const shown = (text: string, at: number, columns: number, rows = 9) => {
    const { lines, cursor } = laidOut({ text, at }, '> ', columns, rows);
    return [...lines.map((line) => painted(line, false)), `${cursor.row},${cursor.column}`];
  };
  expect(shown('hello', 5, 20)).toEqual(['> hello', '0,7']);
  expect(shown('hello', 0, 20)).toEqual(['> hello', '0,2']);
  expect(shown('one\ntwo', 5, 20)).toEqual(['> one', '  two', '1,3']);
  expect(shown('abcdefgh', 8, 6)).toEqual(['> abcd', 'efgh', '1,4']);
  expect(shown('abcd', 4, 6)).toEqual(['> abcd', '', '1,0']);
  expect(shown('1\n2\n3\n4', 7, 20, 2)).toEqual(['  3', '  4', '1,3']);
  expect(shown('1\n2\n3\n4', 0, 20, 2)).toEqual(['> 1', '  2', '0,2']);
  expect(shown('\u001B[2J', 4, 20)).toEqual(['> ␛[2J', '0,6']);
});

test('Tab completes as far as all choices agree', () => {
  const from = { text: 'see @sr now', at: 7 };
  expect(completed(from, { part: '@sr', choices: ['@src/a.ts'] })).toEqual({ text: 'see @src/a.ts now', at: 13 });
  expect(completed(from, { part: '@sr', choices: ['@src/a.ts', '@src/b.ts'] })).toEqual({
    text: 'see @src/ now',
    at: 9,
  });
  expect(completed(from, { part: '@sr', choices: ['@src/', '@srv/'] })).toBeUndefined();
});
