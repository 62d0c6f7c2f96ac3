import { expect, test } from 'vitest';
import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { defineTool, readIntent, type Tool } from './tool.ts';
import { createToolset } from './toolset.ts';

const named = (name: string, aliases?: readonly string[]): Tool =>
  defineTool({
    name,
    aliases,
    category: 'system',
    permission: 'none',
    about: 'Does nothing.',
    input: () => z.object({}),
    output: () => z.unknown(),
    plan: async () => ok({ intent: readIntent('Nothing'), plan: null }),
    run: async () => ok(null),
  });

test('a tool is found by its name, else by an alias, and listed once', () => {
  const check = named('check_task', ['taskStatus', 'list_tasks']);
  const list = named('list_tasks');
  const toolset = createToolset([check, list, named('check_task')]);
  expect(toolset.tools).toEqual([check, list]);
  expect(['check_task', 'taskStatus', 'list_tasks', 'other'].map((name) => toolset.find(name))).toEqual([
    check,
    check,
    list,
    undefined,
  ]);
});

test('the nearest names are told', () => {
  expect(createToolset([named('read_file'), named('run')]).nearest('raed_file')).toEqual(['read_file']);
});
