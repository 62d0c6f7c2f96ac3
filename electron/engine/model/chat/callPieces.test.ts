import { describe, expect, test } from 'vitest';
import { CallPieces } from './callPieces.ts';

function put(pieces: readonly unknown[], taken: readonly string[] = []) {
  const calls = new CallPieces();
  for (const piece of pieces) calls.add(piece);
  let next = 0;
  return calls
    .finish(
      (id) => taken.includes(id),
      () => `new${(next += 1)}`,
    )
    ?.map((call) => [call.id, call.name, call.argumentsText]);
}

const piece = (index: number | undefined, id: string | undefined, name: string | undefined, given?: unknown) => ({
  index,
  id,
  function: { name, arguments: given },
});

describe('pieces of tool calls', () => {
  test.each([
    [
      'one call in pieces',
      [piece(0, 'a', 'f', ''), piece(0, undefined, undefined, '{"x"'), piece(0, undefined, undefined, ':1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'two calls interleaved',
      [
        piece(0, 'a', 'f', ''),
        piece(1, 'b', 'g', ''),
        piece(0, undefined, undefined, '{}'),
        piece(1, undefined, undefined, '{"y":2}'),
      ],
      [
        ['a', 'f', '{}'],
        ['b', 'g', '{"y":2}'],
      ],
    ],
    [
      'one index for two ids',
      [piece(0, 'a', 'f', '{}'), piece(0, 'b', 'f', '{}')],
      [
        ['a', 'f', '{}'],
        ['b', 'f', '{}'],
      ],
    ],
    [
      'one index and no ids',
      [piece(0, undefined, 'f', '{"x":1}'), piece(0, undefined, 'g', '{}')],
      [
        ['new1', 'f', '{"x":1}'],
        ['new2', 'g', '{}'],
      ],
    ],
    [
      'neither index nor id',
      [
        piece(undefined, undefined, 'f', '{"x":'),
        piece(undefined, undefined, undefined, '1}'),
        piece(undefined, undefined, 'g', '{}'),
      ],
      [
        ['new1', 'f', '{"x":1}'],
        ['new2', 'g', '{}'],
      ],
    ],
    [
      'the name late',
      [piece(0, 'a', undefined, ''), piece(0, 'a', 'f', '{'), piece(0, undefined, undefined, '}')],
      [['a', 'f', '{}']],
    ],
    ['the name empty later', [piece(0, 'a', 'f', ''), piece(0, undefined, '', '{}')], [['a', 'f', '{}']]],
    ['the name with each piece', [piece(0, 'a', 'f', '{"x"'), piece(0, 'a', 'f', ':1}')], [['a', 'f', '{"x":1}']]],
    ['the name in parts', [piece(0, 'a', 'read_'), piece(0, undefined, 'file', '{}')], [['a', 'read_file', '{}']]],
    ['the id late', [piece(0, undefined, 'f', '{'), piece(0, 'a', undefined, '}')], [['a', 'f', '{}']]],
    [
      'a fresh id with each piece',
      [piece(0, 'a', 'f', '{"x"'), piece(0, 'b', undefined, ':1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'the same id for two calls',
      [piece(0, 'a', 'f', '{}'), piece(1, 'a', 'g', '{}')],
      [
        ['a', 'f', '{}'],
        ['new1', 'g', '{}'],
      ],
    ],
    ['arguments as an object', [piece(0, 'a', 'f', { x: 1 })], [['a', 'f', '{"x":1}']]],
    [
      'whole arguments that go on',
      [piece(0, 'a', 'f', '{"x":1}'), piece(0, undefined, undefined, ', "y":2}')],
      [['a', 'f', '{"x":1}, "y":2}']],
    ],
    [
      'an empty piece after the end',
      [piece(0, 'a', 'f', '{}'), piece(0, undefined, undefined, '')],
      [['a', 'f', '{}']],
    ],
    ['no arguments', [piece(0, 'a', 'f')], [['a', 'f', '']]],
    ['what is no piece', [null, 'x', piece(0, 'a', 'f', '{}')], [['a', 'f', '{}']]],
  ])('%s', (_, pieces, calls) => {
    expect(put(pieces)).toEqual(calls);
  });

  test('get a new id when the conversation has used theirs', () => {
    expect(put([piece(0, 'call_0', 'f', '{}')], ['call_0'])).toEqual([['new1', 'f', '{}']]);
  });

  test('without any name are no call', () => {
    expect(put([piece(0, 'a', undefined, '{}')])).toBe(undefined);
  });

  test('keep what the provider wants back', () => {
    const calls = new CallPieces();
    calls.add({ ...piece(0, 'a', 'f', '{}'), extra_content: { google: { thought_signature: 's' } } });
    expect(
      calls.finish(
        () => false,
        () => '',
      ),
    ).toEqual([{ id: 'a', name: 'f', argumentsText: '{}', extra: { google: { thought_signature: 's' } } }]);
  });
});
