import { expect, test } from 'vitest';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { tryIn } from '../testing/tryTool.ts';
import { readFile } from '../tools/file/readFile.ts';
import { createToolset } from '../tools/frame/toolset.ts';
import { testFolder } from '../workspace/testing/testFolder.ts';
import { createSessionTools } from './sessionTools.ts';

test.each([
  [['read_file', 'reed_file'], ['read_file']],
  [['reed_file'], []],
])(
  'describe_tools with %j tells of those that are there, and of the others what they may be',
  async (names, described) => {
    const told: string[] = [];
    const [describeTools] = createSessionTools({
      toolset: () => createToolset([readFile]),
      state: () => emptySession,
      describe: (known) => void told.push(...known),
    });
    if (!describeTools) throw new Error('there is no describe_tools');
    const trial = await tryIn(testFolder());
    const unknown = 'There is no tool "reed_file". Did you mean read_file?';
    expect(await trial.tool(describeTools, { names })).toMatchObject(
      described.length > 0
        ? { success: true, data: { tools: [{ name: 'read_file' }], unknown: [unknown] } }
        : { success: false, error: { code: 'TOOL_NOT_FOUND', message: unknown } },
    );
    expect(told).toEqual(described);
  },
);
