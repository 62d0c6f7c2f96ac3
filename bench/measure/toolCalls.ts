import { readingHands } from '../../electron/engine/tools/frame/readingHands.ts';
import type { Tool } from '../../electron/engine/tools/frame/tool.ts';
import { createLook } from '../../electron/engine/workspace/look.ts';
import { createSandbox } from '../../electron/engine/workspace/sandbox.ts';

export interface ToolCall {
  /** From the call to its result, milliseconds. */
  readonly took: number;
  readonly value: unknown;
}

/** Calls reading tools in a folder, as an engine would. Throws when a call fails. */
export async function toolCalls(folder: string): Promise<(tool: Tool, input: unknown) => Promise<ToolCall>> {
  const sandbox = await createSandbox({ roots: [folder] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const hands = readingHands(look, 'bench');
  return async (tool, input) => {
    const started = performance.now();
    const prepared = await tool.prepare(input, look);
    const result = prepared.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : prepared;
    const took = performance.now() - started;
    if (!result.ok) throw new Error(`${tool.name}: ${result.error.message}`);
    return { took, value: result.value };
  };
}
