import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import type { EntryType } from '../../workspace/walk.ts';
import { clipText } from '../frame/clipText.ts';
import { entryTypeSchema } from '../frame/entryType.ts';
import { gatherIgnored, ignoredSchema, sentences } from '../frame/ignoredPaths.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

interface MapNode {
  readonly path: string;
  readonly type: EntryType;
  children?: MapNode[] | undefined;
}

/** More entries than this are no map any more. */
const maxEntries = 2000;

export const projectMap = defineTool({
  name: 'project_map',
  category: 'build',
  permission: 'none',
  errors: [],
  pseudo: 'project repo-map',
  about:
    'The whole project at a first look: folders and files as a tree, maxDepth levels deep (default 3), without what is ignored.',
  input: () => z.object({ maxDepth: z.int().min(1).max(10).optional() }),
  output() {
    const node = z.object({
      path: z.string(),
      type: entryTypeSchema,
      get children() {
        return z.array(node).optional();
      },
    });
    return z.object({
      root: z.string(),
      tree: z.string(),
      nodes: z.array(node),
      fileCount: z.number(),
      directoryCount: z.number(),
      truncated: z.boolean(),
      ignored: ignoredSchema,
    });
  },

  text: ({ tree }) => tree,

  leftOut: ({ truncated, ignored }) =>
    sentences(
      truncated ? 'The map is cut; list single folders with list_directory' : undefined,
      ignored && `Left out as ignored: ${ignored.paths.join(', ')}${ignored.count > ignored.paths.length ? ' …' : ''}`,
    ),

  plan: async ({ maxDepth = 3 }) => ok({ intent: readIntent('Map the project', '.'), plan: { maxDepth } }),

  async run({ maxDepth }, { look, signal }) {
    const ignored = gatherIgnored();
    const walked = await look.walk('.', { maxDepth, signal, onIgnored: ignored.add });
    if (!walked.ok) return walked;
    const roots: MapNode[] = [];
    const folders = new Map<string, MapNode>();
    let fileCount = 0;
    let directoryCount = 0;
    let truncated = false;
    for await (const { path, type } of walked.value) {
      if (fileCount + directoryCount === maxEntries) {
        truncated = true;
        break;
      }
      const node: MapNode = { path, type };
      const parent = folders.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      if (parent) (parent.children ??= []).push(node);
      else roots.push(node);
      if (type === 'directory') {
        directoryCount += 1;
        folders.set(path, node);
      } else fileCount += 1;
    }
    if (signal.aborted) return fail('CANCELLED', 'Mapping was stopped');
    const tree = clipText(linesOf(roots, '').join(''));
    return ok({
      root: look.root,
      tree: tree.text,
      nodes: roots,
      fileCount,
      directoryCount,
      truncated: truncated || tree.truncated,
      ignored: ignored.found(),
    });
  },
});

/** Two blanks a level; folders end in `/`. */
function linesOf(nodes: readonly MapNode[], indent: string): readonly string[] {
  return nodes.flatMap(({ path, type, children = [] }) => [
    `${indent}${path.slice(path.lastIndexOf('/') + 1)}${type === 'directory' ? '/' : ''}\n`,
    ...linesOf(children, `${indent}  `),
  ]);
}
