import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Todo } from '../../../shared/model/todo.ts';
import { askServer } from '../testing/serverBench.ts';

const two: readonly Todo[] = [
  { content: 'Read it', status: 'completed' },
  { content: 'Change it', status: 'in_progress' },
];
const keep = (todos: readonly Todo[]) => ({ calls: [{ tool: 'update_todos', input: { todos } }] });
const textOf = (asked: unknown): string => JSON.stringify(asked);

describe('the to-do list of a session', () => {
  test('is what the agent wrote last, survives a restart, and stays while something of it is open', async () => {
    const { bench, session } = await askServer([keep(two), { text: 'Begun.' }, { text: 'Hello.' }]);
    await session.say('Go.');
    const kept = { todos: two, by: 'agent' };
    expect(session.heard.map(({ event }) => event)).toContainEqual({ type: 'todos.changed', ...kept });
    await session.say('And then?');
    expect(session.mirror().facts.todoList).toEqual(kept);
    const again = await bench.restart();
    const watched = await again.client.call('session.watch', { session: session.id });
    expect(watched.ok && watched.value.state.facts.todoList).toEqual(kept);
  });

  test('goes with the next task once all of it is done', async () => {
    const done = two.map((todo): Todo => ({ ...todo, status: 'completed' }));
    const { session } = await askServer([keep(done), { text: 'Done.' }, { text: 'Hello.' }]);
    await session.say('Go.');
    await session.say('Something else.');
    expect(session.mirror().facts.todoList).toBeUndefined();
  });

  test('is read by the agent with its next request where the person has changed it', async () => {
    const { bench, session, asked } = await askServer([keep(two), { text: 'Begun.' }, { text: 'As you say.' }]);
    await session.say('Go.');
    expect(textOf(asked(2))).not.toContain('as the person has changed it');
    const todos: readonly Todo[] = [...two, { content: 'Tell the others', status: 'pending' }];
    const call = { session: session.id, todos: [...todos] };
    expect(await bench.client.call('session.setTodos', call)).toMatchObject({ ok: true });
    await session.say('Go on.');
    expect(textOf(asked(3))).toContain('To-do list, as the person has changed it:');
    expect(textOf(asked(3))).toContain('- [ ] Tell the others');
    expect(session.mirror().facts.todoList).toEqual({ todos, by: 'person' });
  });

  test('is not written over what the person changed since the agent read it, and the agent reads what that was', async () => {
    const done = two.map((todo): Todo => ({ ...todo, status: 'completed' }));
    const { bench, session, asked } = await askServer([keep(two), keep(done), { text: 'Done.' }, { text: 'Again.' }]);
    const asks = { id: 'asks', effect: 'ask', scope: 'user', match: { tool: 'update_todos' } };
    writeFileSync(join(bench.ports.places.config, 'rules.json'), JSON.stringify({ rules: [asks] }));
    const allow = async (): Promise<void> => {
      const { call } = await session.next('permission.asked');
      await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    };
    await session.send('Go.');
    await allow();
    const { call } = await session.next('permission.asked');
    // The request was sent before, so the agent cannot know of it.
    const todos: readonly Todo[] = [{ content: 'Only this', status: 'pending' }];
    await bench.client.call('session.setTodos', { session: session.id, todos: [...todos] });
    await bench.client.call('permission.answer', { session: session.id, call, decision: 'once' });
    await session.next('turn.finished');
    expect(session.mirror().facts.todoList).toEqual({ todos, by: 'person' });
    expect(textOf(asked(3).messages.at(-1)?.content)).toContain('Only this');
    expect(textOf(asked(3).messages.at(-1)?.content)).toContain('The person has changed the list since you read it');
  });

  test('is the same list for codebolt todo, which changes it as the person sees it', async () => {
    const pseudo = (command: string) => ({ calls: [{ tool: 'cli_based_tool', input: { command } }] });
    const { session } = await askServer([
      keep(two),
      pseudo('codebolt todo add --title "Tell the others"'),
      pseudo('codebolt todo update --id todo-2 --status completed'),
      pseudo('codebolt todo list'),
      { text: 'Done.' },
    ]);
    await session.say('Go.');
    expect(session.mirror().facts.todoList?.todos).toEqual([
      two[0],
      { content: 'Change it', status: 'completed' },
      { content: 'Tell the others', status: 'pending' },
    ]);
  });

  test('refuses blank entries and more than anybody reads', async () => {
    const blank = { todos: [{ content: ' ', status: 'pending' }] };
    const many = { todos: Array.from({ length: 51 }, () => ({ content: 'x', status: 'pending' })) };
    const { session } = await askServer([
      { calls: [{ tool: 'update_todos', input: blank }] },
      { calls: [{ tool: 'update_todos', input: many }] },
      { text: 'Well.' },
    ]);
    await session.say('Go.');
    const codes = session.heard.flatMap(({ event }) =>
      event.type === 'tool.finished' && !event.result.success ? [event.result.error.code] : [],
    );
    expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR']);
    expect(session.mirror().facts.todoList).toBeUndefined();
  });
});
