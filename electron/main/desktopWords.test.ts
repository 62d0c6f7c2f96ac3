import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { speak, words } from './desktopWords.ts';
import { enDesktop } from './enDesktop.ts';
import { zhDesktop } from './zhDesktop.ts';

test.each([
  ['system', ['de-DE', 'zh-Hans-CN', 'en'], zhDesktop],
  ['system', ['fr'], enDesktop],
  ['en', ['zh'], enDesktop],
  ['zh-CN', ['en'], zhDesktop],
])('the setting %s on a system that speaks %j', (language, ofSystem, spoken) => {
  onTestFinished(() => void speak('en', []));
  speak(language, ofSystem);
  expect(words()).toBe(spoken);
});

test('whoever speaks learns whether that changed anything', () => {
  onTestFinished(() => void speak('en', []));
  expect([speak('zh-CN', []), speak('zh-CN', []), speak('en', []), speak('system', ['fr'])]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

/** Every text of a table, those with an amount or a name in them said with `1`. */
const texts = (table: object): readonly string[] =>
  Object.values(table).flatMap((entry: unknown) => {
    if (typeof entry === 'function') return [String((entry as (...given: readonly unknown[]) => unknown)(1, 1))];
    return typeof entry === 'string' ? [entry] : typeof entry === 'object' && entry !== null ? texts(entry) : [];
  });

test('nothing is empty in English, and all is Chinese in Chinese', () => {
  expect(texts(enDesktop).filter((text) => text.trim() === '')).toEqual([]);
  expect(texts(zhDesktop).filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([]);
});

test('what the desktop shows a person stands in the table of words', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!en|zh).*(?<!\.test)\.ts$/.test(name));
  const spoken = files.flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const found = text.matchAll(
      /(?:label|message|detail|buttons|copyright|why): *\[?[`'"][^`'"]*|showErrorBox\(\s*['"`]/g,
    );
    return [...found].map(([part]) => `${name}: ${part}`);
  });
  expect(spoken).toEqual([]);
});
