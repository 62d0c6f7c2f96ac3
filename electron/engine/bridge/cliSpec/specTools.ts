import type { Tool } from '../../tools/frame/tool.ts';
import type { LoadedSpec } from './loadSpecs.ts';
import { specInstructions } from './specInstructions.ts';
import { type NamedCommand, nameCommands } from './specNames.ts';
import { type SpecToolParts, specTool } from './specTool.ts';

export interface SpecTools {
  readonly tools: readonly Tool[];
  /** The commands that became tools, under their tools' names. */
  readonly commands: readonly NamedCommand[];
  /** What a model or an MCP client is told of them. */
  readonly instructions: string;
  /** The same for those of these tools alone; empty where there are none. */
  instructionsFor(names: ReadonlySet<string>): string;
  /** Names that were changed or left out. */
  readonly warnings: readonly string[];
}

/** The tools of all loaded specs; `builtIn` are the names that are taken. */
export function specTools(specs: readonly LoadedSpec[], builtIn: ReadonlySet<string>, parts: SpecToolParts): SpecTools {
  const { commands, warnings } = nameCommands(specs, builtIn);
  return {
    tools: commands.map((command) => specTool(command, parts)),
    commands,
    instructions: specInstructions(commands),
    instructionsFor(names) {
      const own = commands.filter(({ name }) => names.has(name));
      return own.length === 0 ? '' : specInstructions(own);
    },
    warnings,
  };
}
