import { ok } from '../../../shared/result.ts';
import type { JsonStore } from '../bridge/pseudoCli/action.ts';
import type { Hands } from '../tools/frame/tool.ts';

interface StoredTodo {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly status?: unknown;
}

/**
 * The store of pseudo commands, in which `todos` are the to-do list of the conversation: what `codebolt todo` adds or changes is
 * what the person sees. Outside of a conversation they are the project's own. An entry has no id of its own: one that was added here
 * keeps the one it was answered with while its words stay, any other goes by its place.
 */
export function withSessionTodos(
  store: JsonStore,
  { todos, callTool }: Pick<Hands, 'todos' | 'callTool'>,
  ids: Map<string, string>,
): JsonStore {
  if (!todos || !callTool) return store;
  return {
    async read(name) {
      if (name !== 'todos') return store.read(name);
      return ok(
        todos.read().map(({ content, status }, at) => ({
          id: ids.get(content) ?? `todo-${at + 1}`,
          title: content,
          priority: 'medium',
          status,
        })),
      );
    },
    async write(name, value) {
      if (name !== 'todos' || !Array.isArray(value)) return store.write(name, value);
      const records = (value as readonly StoredTodo[]).filter(({ status }) => status !== 'cancelled');
      const kept = await callTool('update_todos', {
        todos: records.map(({ title, status }) => ({ content: title, status })),
      });
      if (!kept.success) return { ok: false, error: kept.error };
      ids.clear();
      for (const { id, title } of records) ids.set(String(title), String(id));
      return ok(undefined);
    },
  };
}
