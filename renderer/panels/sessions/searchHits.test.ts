import { expect, test } from 'vitest';
import { groupHits, partsAround } from './searchHits.ts';

test('hits of one session are one group, in the order of the answer', () => {
  const hit = (session: string, excerpt: string) => ({ session, title: `title ${session}`, excerpt });
  expect(groupHits([hit('b', 'title b'), hit('b', '1'), hit('a', '2'), hit('b', '3'), hit('b', '1')])).toEqual([
    { session: 'b', title: 'title b', places: ['1', '3'] },
    { session: 'a', title: 'title a', places: ['2'] },
  ]);
});

test.each<[string, string, readonly string[]]>([
  ['find Me and me', ' me ', ['find ', '[Me]', ' and ', '[me]']],
  ['nothing', 'x', ['nothing']],
  ['aaa', 'aa', ['[aa]', 'a']],
  ['some', '', ['some']],
  ['İx', 'x', ['İx']],
])('%j is cut around %j', (text, query, parts) => {
  expect(partsAround(text, query).map((part) => (part.isHit ? `[${part.text}]` : part.text))).toEqual(parts);
});
