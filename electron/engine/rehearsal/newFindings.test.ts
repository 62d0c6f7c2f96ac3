import { expect, test } from 'vitest';
import type { Finding } from '../../../shared/model/rehearsal.ts';
import { newFindings, type ReadFinding } from './newFindings.ts';

const at = (line: number | undefined, message = 'wrong', file = 'a.ts'): ReadFinding => {
  const finding: Finding = { check: 'types', severity: 'error', message, file, line };
  return { finding, key: JSON.stringify([file, message]) };
};
/** Ten lines were put in front of line 11 of each file, and line 5 was written by a hunk. */
const place = { call: 'c', path: 'a.ts', hunk: 0 };
const originOf = (_: string, line: number) => (line === 5 ? { place } : { line: line > 20 ? line - 10 : line });
const linesOf = (findings: readonly Finding[]) => findings.map(({ line, message }) => [line, message]);

test.each<[string, readonly ReadFinding[], readonly ReadFinding[], readonly unknown[]]>([
  ['a finding that only moved is old', [at(31)], [at(21)], []],
  ['one more of the same is new where no old one stood', [at(31), at(40)], [at(21)], [[40, 'wrong']]],
  ['of one more of the same, that of the hunk is new', [at(5), at(12)], [at(13)], [[5, 'wrong']]],
  ['one on a rewritten line that was there before is old', [at(5)], [at(5)], []],
  ['another message is new', [at(12, 'other')], [at(12)], [[12, 'other']]],
  ['the same in another file is new', [at(12, 'wrong', 'b.ts')], [at(12)], [[12, 'wrong']]],
  ['what has no line is told by its words', [at(undefined), at(undefined)], [at(undefined)], [[undefined, 'wrong']]],
  ['what is gone is not told', [], [at(3)], []],
])('%s', (_, after, before, told) => {
  expect(linesOf(newFindings(after, before, originOf))).toEqual(told);
});

test('as long as it is not known what was there before, what hunks wrote is told', () => {
  expect(newFindings([at(5), at(12)], undefined, originOf)).toEqual([{ ...at(5).finding, place }]);
});
