import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

const todoSchema = z.lazy(() =>
  z.object({
    content: z.string().trim().min(1).max(300),
    status: z.enum(['pending', 'in_progress', 'completed']),
  }),
);
export type Todo = Immutable<z.infer<typeof todoSchema>>;

/** A whole list, in its order: who changes one entry says all of them. Longer ones are read by nobody. */
export const todosSchema = z.lazy(() => z.object({ todos: z.array(todoSchema).max(50) }));

/** The list of a session, and who changed it last. */
export const todoListSchema = z.lazy(() => todosSchema.unwrap().extend({ by: z.enum(['agent', 'person']) }));
export type TodoList = Immutable<z.infer<typeof todoListSchema>>;

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const satisfies Record<
  Todo['status'],
  string
>;

/** An entry in the form of Markdown lists; `[>]` is what is worked on. */
export function todoLine({ content, status }: Todo): string {
  return `${marks[status]} ${content}`;
}

export function isOpenTodo({ status }: Todo): boolean {
  return status !== 'completed';
}
