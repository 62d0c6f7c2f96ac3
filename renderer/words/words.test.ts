import { expect, test } from 'vitest';
import { costText, countText } from '../../shared/text/amounts.ts';
import { ageText, clockText, durationText, spanText } from './amounts.ts';
import { en } from './en.ts';
import { wordsFor } from './words.tsx';
import { zh } from './zh.ts';

test('the language of the system is the first that Vise speaks', () => {
  expect([
    wordsFor('system', ['de-DE', 'zh-Hans-CN', 'en']).locale,
    wordsFor('system', ['fr']).locale,
    wordsFor('zh-CN', ['en']).locale,
  ]).toEqual(['zh-CN', 'en', 'zh-CN']);
});

const texts = (table: object): readonly string[] =>
  Object.values(table).flatMap((entry: unknown) =>
    typeof entry === 'string' ? [entry] : typeof entry === 'object' && entry !== null ? texts(entry) : [],
  );

test('no word is empty in either language', () => {
  expect([...texts(en), ...texts(zh)].filter((text) => text.trim() === '')).toEqual([]);
});

test('amounts read as people say them', () => {
  expect({
    spans: [3000, 72_000, 3_900_000].map((ms) => spanText(ms, en)),
    durations: [40, 1250, 41_000].map((ms) => durationText(ms, en)),
    clocks: [7000, 760_000, 3_723_000].map(clockText),
    ages: [5000, 190_000, 7_300_000].map((ms) => ageText(ms, en)),
    counts: [812, 4210, 132_000, 1_300_000].map(countText),
    costs: [0.0231, 2.5].map(costText),
  }).toEqual({
    spans: ['3 s', '1 m 12 s', '1 h 5 m'],
    durations: ['', '1.3 s', '41 s'],
    clocks: ['0:07', '12:40', '1:02:03'],
    ages: ['now', '3 m', '2 h'],
    counts: ['812', '4.2k', '132k', '1.3M'],
    costs: ['$0.023', '$2.50'],
  });
});
