import { expect, test } from 'vitest';
import type { ContextUse } from '../../../shared/model/contextUse.ts';
import { markupOf, textOf } from '../../testing/markup.tsx';
import { ContextParts } from './ContextParts.tsx';

const use: ContextUse = {
  tokens: 1500,
  limit: 128_000,
  counted: 'tokenizer',
  parts: [
    { kind: 'rules', tokens: 200 },
    { kind: 'summary', tokens: 0 },
    { kind: 'results', tokens: 1300 },
  ],
};

test('what fills the window stands there by its size, without what is empty, and with who counted', () => {
  const text = textOf(markupOf(<ContextParts use={use} />));
  expect(text.indexOf('Results of tools')).toBeLessThan(text.indexOf('Rules of the project'));
  expect(text).toContain("model's own tokenizer");
  expect(text).not.toContain('Summary');
});

test('while it is counted it says so', () => {
  expect(textOf(markupOf(<ContextParts use={null} />))).toContain('Counting');
});
