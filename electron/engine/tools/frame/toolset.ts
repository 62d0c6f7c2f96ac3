import { editDistance } from '../../../../shared/text/editDistance.ts';
import type { Tool } from './tool.ts';

/** The tools of one project, by name. Names are unique; the first one keeps its name. */
export interface Toolset {
  readonly tools: readonly Tool[];
  find(name: string): Tool | undefined;
  /** The names nearest to a name that is not there, for the error. */
  nearest(name: string): readonly string[];
}

export function createToolset(tools: readonly Tool[]): Toolset {
  const byName = new Map<string, Tool>();
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  const byAlias = new Map(tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => [alias, tool] as const)));
  return {
    tools: [...byName.values()],
    find: (name) => byName.get(name) ?? byAlias.get(name),
    nearest: (name) =>
      [...byName.keys()]
        .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
        .filter(({ known, distance }) => distance <= Math.max(2, Math.floor(known.length / 3)))
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, 3)
        .map(({ known }) => known),
  };
}
