import { readTree } from '../../e2e/harness/folders.ts';
import type { Task } from './tasks.ts';

export const modes = ['phased', 'direct'] as const;
export type Mode = (typeof modes)[number];

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Every file below a folder as it lies on the disk, byte for byte; what git keeps for itself is left out. */
export function treeOf(folder: string): Map<string, string> {
  return new Map(Object.entries(readTree(folder, { encoding: 'latin1', without: ['.git'] })));
}

export function wrongFiles(wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): readonly string[] {
  const paths = [...new Set([...wanted.keys(), ...found.keys()])];
  return paths.flatMap((path) => {
    if (wanted.get(path) === found.get(path)) return [];
    if (!found.has(path)) return [`${path} is missing`];
    return [wanted.has(path) ? `${path} holds other bytes` : `${path} should not be there`];
  });
}

/** What is wrong with the outcome that was told, with the exit code, and with the number of requests. */
export function wrongEnd(task: Task, mode: Mode, { code, out, err }: Ended): readonly string[] {
  // A turn in the direct mode has no plan and so cannot know that a question was one.
  const outcome = mode === 'direct' && task.outcome === 'answered' ? 'done' : task.outcome;
  const facts = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly event: Readonly<Record<string, unknown>> }).event);
  const end = facts.at(-1) ?? {};
  const replies = facts.filter(({ type, role }) => type === 'message' && role === 'assistant').length;
  const exit = outcome === 'incomplete' ? 1 : 0;
  return [
    ...(end['outcome'] === outcome
      ? []
      : [`the outcome is ${String(end['outcome'])}, not ${outcome}: ${err.slice(-300)}`]),
    ...(code === exit ? [] : [`the exit code is ${String(code)}, not ${exit}`]),
    ...(task.requests !== undefined && replies !== task.requests ? [`${replies} requests, not ${task.requests}`] : []),
  ];
}
