import type { Rule } from '../../../../shared/model/rule.ts';
import { pathMatches } from '../../base/pathGlob.ts';

/** Who reads: a rule may speak of one tool, or of a category of tools. */
export interface Reader {
  readonly tool: string;
  readonly category: string;
}

/** Rules that forbid are read leniently: without case, a folder's rule holds for the folder itself, a plain name for all below it. */
export function isPathDenied(pattern: string, path: string): boolean {
  const forms = [path, `${path}/`].some((form) => pathMatches(pattern, form, { fold: true }));
  return forms || (!/[*?[{]/.test(pattern) && pathMatches(`${pattern.replace(/\/$/, '')}/**`, path, { fold: true }));
}

/**
 * Which paths (relative to the project) may not be read by this tool (C11); undefined when no rule speaks of any. What forbids
 * `read_file`, or all file tools, forbids every other tool to show the same content.
 */
export function deniedPaths(rules: readonly Rule[], reader: Reader): ((path: string) => boolean) | undefined {
  const patterns = rules.flatMap(({ effect, match: { path, command, host, tool, category } }) =>
    effect === 'deny' &&
    path !== undefined &&
    !command &&
    !host &&
    [undefined, 'read_file', reader.tool].includes(tool) &&
    [undefined, 'file', reader.category].includes(category)
      ? [path]
      : [],
  );
  return patterns.length === 0 ? undefined : (path) => patterns.some((pattern) => isPathDenied(pattern, path));
}
