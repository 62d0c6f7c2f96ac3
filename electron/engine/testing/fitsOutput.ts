import { isDeepStrictEqual } from 'node:util';
import type { ToolResult } from '../../../shared/result.ts';
import type { Tool } from '../tools/frame/tool.ts';

/** Throws where the data of a result is not what the tool declares: another shape, or a property more. */
export function assertFitsOutput({ name, output }: Tool, result: ToolResult): void {
  if (!result.success || output === undefined) return;
  const data: unknown = JSON.parse(JSON.stringify(result.data));
  const read = output().safeParse(data);
  const why = read.success ? 'a property is not declared' : read.error.message;
  if (!read.success || !isDeepStrictEqual(read.data, data))
    throw new Error(`What ${name} answered is not what it declares (${why}): ${JSON.stringify(data).slice(0, 2000)}`);
}
