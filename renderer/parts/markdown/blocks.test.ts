import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noBlocks, splitBlocks } from './blocks.ts';

const source =
  '# Title\n\nSome *words*.\n\n- one\n- two\n\n  still two\n\n```ts\nconst a = 1;\n\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.\n';

test('blocks joined are the text', () => {
  expect(
    splitBlocks(source)
      .blocks.map(({ raw }) => raw)
      .join(''),
  ).toBe(source);
});

test('however a text is cut while it streams, its blocks end as if it had come at once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 40 }), (steps) => {
      let state = noBlocks;
      let at = 0;
      for (const step of steps) {
        at += step;
        state = splitBlocks(source.slice(0, at), state);
      }
      expect(splitBlocks(source, state).blocks).toEqual(splitBlocks(source).blocks);
    }),
  );
});

test('blocks before the last two keep their identity, so that they are not drawn again', () => {
  const first = splitBlocks('a\n\nb\n\nc\n\nd');
  const grown = splitBlocks('a\n\nb\n\nc\n\nd and more', first);
  grown.blocks.slice(0, 4).forEach((block, at) => expect(block).toBe(first.blocks[at]));
});

test('a text that was replaced is split anew', () => {
  expect(splitBlocks('new', splitBlocks('old text'))).toEqual(splitBlocks('new'));
});
