import { Check, Circle, CircleDot, X } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { isOpenTodo, type Todo } from '../../../shared/model/todo.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { TextInput } from '../../parts/Field.tsx';
import { useWords } from '../../words/words.tsx';

const icons = { pending: Circle, in_progress: CircleDot, completed: Check } as const;
const tones = { pending: 'text-soft', in_progress: 'text-accent', completed: 'text-good' } as const;

/** The to-do list of a session. What the person changes, the agent reads with its next request. */
export function Todos({ session, todos }: { readonly session: string; readonly todos: readonly Todo[] }) {
  const words = useWords();
  const client = useClient();
  const [added, setAdded] = useState('');
  const set = (next: readonly Todo[]): void =>
    void valueOrToast(client.call('session.setTodos', { session, todos: [...next] }));
  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    const content = added.trim();
    if (content === '') return;
    set([...todos, { content, status: 'pending' }]);
    setAdded('');
  };
  return (
    <>
      <ul className="flex flex-col">
        {todos.map((todo, index) => {
          const Icon = icons[todo.status];
          const isOpen = isOpenTodo(todo);
          const turned: Todo = { ...todo, status: isOpen ? 'completed' : 'pending' };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity but their place
            <li key={index} className="group flex items-start gap-1">
              <button
                type="button"
                role="checkbox"
                aria-checked={!isOpen}
                className="flex min-h-6 min-w-0 flex-1 items-start gap-2 rounded-sm py-0.5 text-left hover:text-accent"
                onClick={() => set(todos.with(index, turned))}
              >
                <Icon aria-hidden className={cx('mt-0.5 size-3.5 shrink-0', tones[todo.status])} />
                <span className={cx('min-w-0 break-words', !isOpen && 'text-soft line-through')}>{todo.content}</span>
              </button>
              <IconButton label={words.plan.removeTodo(todo.content)} onClick={() => set(todos.toSpliced(index, 1))}>
                <X aria-hidden className="size-3.5" />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <form onSubmit={add} className="mt-1.5">
        <TextInput
          aria-label={words.plan.addTodo}
          placeholder={words.plan.addTodo}
          maxLength={300}
          value={added}
          onChange={(event) => setAdded(event.target.value)}
        />
      </form>
    </>
  );
}
