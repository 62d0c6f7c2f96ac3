import { expect, test } from 'vitest';
import { madePage, stalePage } from '../../.setup/madePage.ts';
import { toolTable } from '../../.setup/toolTable.ts';
import { testBench } from './testing/engineForTest.ts';
import { categories, frameErrors, type Tool } from './tools/frame/tool.ts';

/** The built-in tools by category, in the order in which they are described to a model. */
async function builtInTools(): Promise<readonly Tool[]> {
  const bench = testBench({});
  const listed = await bench.engine.toolset(bench.project, 'read_file');
  const tools = (listed.ok ? listed.value.tools : []).filter(({ source }) => source === 'built-in');
  return categories.flatMap((category) => tools.filter((tool) => tool.category === category));
}

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes the tables of all pages anew
test('docs/tools.md tells each built-in tool as it is', async () => {
  const { written, fresh } = madePage('tools.md', '.setup/toolTable.ts', toolTable(await builtInTools(), frameErrors));
  expect(written, stalePage).toBe(fresh);
});

test('every built-in tool declares what it can be answered with', async () => {
  const tools = await builtInTools();
  expect(tools.length).toBeGreaterThan(48);
  expect(tools.filter(({ errors }) => errors === undefined).map(({ name }) => name)).toEqual([]);
});
