import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { approvalOf, edits } from '../../testing/scenes.ts';
import { ChangeSetCard } from './ChangeSetCard.tsx';
import { WaitingCard } from './WaitingCard.tsx';

const edit = (id: string, path: string, before: string, after: string): Call => ({
  id,
  turn: 't',
  tool: 'edit_file',
  input: {},
  level: 'dangerous',
  state: 'waiting',
  proposedAt: '',
  intent: edits(path, before, after),
  approval: approvalOf(['dangerous tools are asked each time']),
});
const calls = [
  edit('1', 'a.ts', 'one\n', 'ONE\n'),
  edit('2', 'a.ts', 'ONE\n', 'FIRST\n'),
  edit('3', 'b.ts', '', 'x\n'),
];

test('the edits of a reply are one question that names each file once', () => {
  const markup = markupOf(<ChangeSetCard calls={calls} session="s" project="/p" onReview={() => undefined} />);
  const text = textOf(markup);
  expect(text).toContain('3 edits in 2 files, as one change set');
  expect(text.match(/a\.ts/g)).toHaveLength(1);
  expect(text).toContain('2 edits +2 −2');
});

test('nothing but looking works in the first moment', () => {
  const markup = markupOf(<ChangeSetCard calls={calls} session="s" project="/p" onReview={() => undefined} />);
  expect(buttonsOf(markup)).toEqual([
    'Review changes',
    'Apply all (not now)',
    'Reject all… (not now)',
    'One by one',
    'Later',
  ]);
});

test('one question alone keeps its own card', () => {
  const [first] = calls;
  if (!first) throw new Error('there are calls');
  expect(textOf(markupOf(<WaitingCard calls={[first]} session="s" project="/p" />))).not.toContain('change set');
});
