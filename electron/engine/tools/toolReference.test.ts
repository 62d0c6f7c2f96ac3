import { describe, expect, test } from 'vitest';
import { type ToolParts, toolsOf } from './all.ts';
import { toolReference } from './testing/toolReference.ts';

/** What a tool borrows is only touched when it is called; here nobody calls. */
const tools = toolsOf({} as ToolParts);

/** Categories of what other documents than the tool reference describe. */
const others = new Set(['shell', 'phase', 'skill', 'todo', 'agent', 'spec', 'mcp']);

describe('the tools of the reference', () => {
  test('are in 8 categories, and all of them are there, once', () => {
    expect(new Set(toolReference.map(({ category }) => category)).size).toBe(8);
    const names = tools.filter(({ category }) => !others.has(category)).map(({ name }) => name);
    const missing = 'a tool of these categories has its line in tools/testing/toolReference.ts';
    expect(names.toSorted(), missing).toEqual(toolReference.map(({ name }) => name).toSorted());
  });

  test.each(toolReference.map((reference) => [reference.name, reference] as const))(
    '%s has the inputs of the reference',
    (name, reference) => {
      const tool = tools.find((one) => one.name === name);
      const schema = tool?.inputSchema();
      expect({ name, category: tool?.category, level: tool?.permission, schema }).toEqual(reference);
    },
  );
});
