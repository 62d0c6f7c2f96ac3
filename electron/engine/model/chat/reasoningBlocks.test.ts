import { expect, test } from 'vitest';
import { ReasoningBlocks } from './reasoningBlocks.ts';

const joined = (...deltas: readonly unknown[]) => {
  const blocks = new ReasoningBlocks();
  for (const delta of deltas) blocks.add(delta);
  return blocks.finish();
};

test('pieces of one block become one: texts are joined, the signature is kept', () => {
  const text = { type: 'reasoning.text', index: 0, format: 'anthropic-claude-v1' };
  expect(
    joined(
      [{ ...text, text: 'Let me ' }],
      [{ ...text, text: 'see.', signature: null }],
      [{ ...text, signature: 'sig' }],
    ),
  ).toEqual([{ ...text, text: 'Let me see.', signature: 'sig' }]);
});

test('blocks of another type or index stay apart, in their order', () => {
  const blocks = [
    { type: 'reasoning.summary', index: 0, summary: 'S' },
    { type: 'reasoning.encrypted', index: 1, data: 'E', id: 'rs_1' },
    { type: 'reasoning.text', index: 2, text: 'T' },
  ];
  expect(joined(...blocks.map((block) => [block]))).toEqual(blocks);
  expect(joined([{ type: 'reasoning.encrypted', data: 'a' }], [{ type: 'reasoning.encrypted', data: 'b' }])).toEqual([
    { type: 'reasoning.encrypted', data: 'a' },
    { type: 'reasoning.encrypted', data: 'b' },
  ]);
  expect(joined([{ type: 'reasoning.text', text: 'a' }], [{ type: 'reasoning.text', text: 'b' }])).toEqual([
    { type: 'reasoning.text', text: 'ab' },
  ]);
});

test('nothing, junk, and more than can be kept give nothing', () => {
  expect(joined()).toBeUndefined();
  expect(joined(undefined, null, 'x', {}, [1, null, 'x'])).toBeUndefined();
  expect(joined(Array.from({ length: 1_001 }, (_, index) => ({ type: 'reasoning.text', index })))).toBeUndefined();
});
