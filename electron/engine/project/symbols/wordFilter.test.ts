import { expect, test } from 'vitest';
import { mayHoldWord, wordFilterOf } from './wordFilter.ts';

test('each word of a text is found again, and most others are known not to be there', () => {
  const words = Array.from({ length: 2000 }, (_, at) => `word${at * 7}$`);
  const filter = wordFilterOf(`${words.join('(')};中文${words.join('.')}`);
  expect(words.every((word) => mayHoldWord(filter, word))).toBe(true);
  const others = Array.from({ length: 2000 }, (_, at) => `other${at}`);
  expect(others.filter((word) => mayHoldWord(filter, word)).length).toBeLessThan(100);
});

test('a part of a word is no word, and of other names nothing is known', () => {
  const filter = wordFilterOf('const parser = 1');
  expect(['parser', 'parse', 'ser', 'größe', 'operator+'].map((name) => mayHoldWord(filter, name))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
  expect(mayHoldWord(wordFilterOf(''), 'x')).toBe(false);
});
