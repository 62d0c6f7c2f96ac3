import { assert, jsonValue, object, property } from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBytes } from './jsonBytes.ts';

const expectSame = (value: object): void => {
  expect(jsonBytes(value).toString('utf8')).toBe(Buffer.from(JSON.stringify(value)).toString('utf8'));
};

test('bytes of any answer are those of its JSON', () => {
  assert(property(jsonValue({ maxDepth: 8 }), (value) => expectSame({ kind: 'reply', ok: true, value })));
  assert(property(object({ maxDepth: 6 }), expectSame));
});

test('what JSON leaves out, replaces or asks for its own form is as in JSON', () => {
  const entries = {
    nothing: undefined,
    act: () => 1,
    mark: Symbol('x'),
    hole: NaN,
    at: new Date(0),
    text: 'grün – 日本 \ud800',
  };
  expectSame(entries);
  expectSame({ list: Object.values(entries), empty: [[], {}], deep: [[[[[[entries]]]]]] });
});
