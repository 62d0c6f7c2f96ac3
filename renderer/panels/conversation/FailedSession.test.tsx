import { expect, test } from 'vitest';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { FailedSession } from './FailedSession.tsx';

test('a session that cannot be opened says why; of a damaged one a copy is offered', () => {
  const elsewhere = markupOf(<FailedSession session="s" why="It is open in another Vise." isDamaged={false} />);
  expect(textOf(elsewhere)).toBe('This session cannot be opened It is open in another Vise.');
  expect(buttonsOf(elsewhere)).toEqual([]);
  const damaged = markupOf(<FailedSession session="s" why="It is not a journal." isDamaged />);
  expect(buttonsOf(damaged)).toEqual(['Copy what can be read']);
});
