import { todoLine, todosSchema } from '../../../../shared/model/todo.ts';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

/** The list of a session, which the person sees and may change. The session keeps it when the call has ended. */
export const updateTodos = defineTool({
  name: 'update_todos',
  category: 'todo',
  permission: 'none',
  errors: [],
  about: 'Keep a to-do list that the person watches: all of it each time, one entry in_progress.',
  input: () => todosSchema.unwrap(),
  output: () => todosSchema.unwrap(),
  text: ({ todos }) => todos.map(todoLine).join('\n') || 'The list is empty.',
  async plan({ todos }) {
    const done = todos.filter(({ status }) => status === 'completed').length;
    return ok({ intent: readIntent(`Keep the to-do list: ${done} of ${todos.length} done`), plan: { todos } });
  },
  async run({ todos }, { todos: known }) {
    if (!known?.isUnread()) return ok({ todos });
    const lines = known.read().map(todoLine).join('\n');
    return fail(
      'VALIDATION_ERROR',
      `The person has changed the list since you read it. Keep what they changed:\n${lines}`,
    );
  },
});
