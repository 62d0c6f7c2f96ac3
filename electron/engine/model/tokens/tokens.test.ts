import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodingOf } from './encodingOf.ts';
import { loadTokenizer } from './loadTokenizer.ts';
import { createTokenCounter } from './tokenCounter.ts';

test.each([
  ['gpt-4o-mini', 'o200k_base'],
  ['gpt-4.1', 'o200k_base'],
  ['gpt-5-codex', 'o200k_base'],
  ['openai/gpt-oss-20b', 'o200k_base'],
  ['chatgpt-4o-latest', 'o200k_base'],
  ['o3', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
  ['gpt-4-turbo-2024-04-09', 'cl100k_base'],
  ['gpt-3.5-turbo', 'cl100k_base'],
  ['deepseek-chat', undefined],
  ['mistral-large', undefined],
  ['openrouter/auto', undefined],
  ['someone/gpt-4o-distilled', undefined],
  ['', undefined],
])('the encoding of %j is %j', (model, encoding) => {
  expect(encodingOf(model)).toBe(encoding);
});

/** What the tokenizers' makers themselves count, given by an implementation that is not ours. */
describe.each([
  ['o200k_base', countO200k],
  ['cl100k_base', countCl100k],
] as const)('%s', (encoding, reference) => {
  test('counts what another implementation counts: our own sources, several alphabets, any text', async () => {
    const count = await loadTokenizer(encoding);
    const sources = readdirSync(import.meta.dirname)
      .filter((name) => !name.endsWith('.test.ts')) // the reference takes no special tokens
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    const texts = [
      ...sources,
      '',
      ' ',
      '\n\n\t  \r\n',
      "It's 12345 o'clock, isn't it? I'LL",
      'Grüße aus Zürich – 你好，世界！こんにちは 안녕하세요 🌍👩‍👩‍👧 مرحبا नमस्ते',
      '{"a":[1,2.5e-3,null,true],"b":"\\u0000\\n"}',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '================================',
    ];
    expect(texts.map(count)).toEqual(texts.map((text) => reference(text)));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => count(text) === reference(text)),
      { numRuns: 300 },
    );
  });

  // A word without end would take minutes if merging were quadratic; the test's own time limit is the guard.
  test('takes a word of 200,000 letters, and special tokens as plain text', async () => {
    const count = await loadTokenizer(encoding);
    expect(count('a'.repeat(200_000))).toBeGreaterThan(10_000);
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
  });
});

test('a counter answers from its thread, and answers nothing when it has been disposed of', async () => {
  const counter = createTokenCounter({ limitMs: 600_000 });
  onTestFinished(() => counter.dispose());
  const texts = ['hello world', '', 'Grüße'];
  expect(await counter.count('o200k_base', texts)).toEqual(texts.map((text) => countO200k(text)));
  const late = counter.count('o200k_base', ['x'.repeat(100_000)]);
  await counter.dispose();
  expect(await late).toBeUndefined();
  expect(await counter.count('o200k_base', ['x'])).toBeUndefined();
});
