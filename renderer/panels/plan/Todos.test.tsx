import { expect, test } from 'vitest';
import { buttonsOf, markupOf } from '../../testing/markup.tsx';
import { Todos } from './Todos.tsx';

test('each entry of the to-do list can be ticked and removed', () => {
  const html = markupOf(
    <Todos
      session="s"
      todos={[
        { content: 'Read it', status: 'completed' },
        { content: 'Change it', status: 'in_progress' },
      ]}
    />,
  );
  expect(buttonsOf(html)).toEqual(['Read it', 'Remove: Read it', 'Change it', 'Remove: Change it']);
  expect([...html.matchAll(/aria-checked="(\w+)"/g)].map(([, checked]) => checked)).toEqual(['true', 'false']);
});
