import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { firstNames, listFiles } from '../../project/textSearch/listFiles.ts';
import { placeOf } from '../../project/textSearch/searchScope.ts';
import { compileGlob, type Glob } from '../../workspace/glob.ts';
import { folderErrors } from '../frame/errorGroups.ts';
import { globInside } from '../frame/globInside.ts';
import { ignoredNear, ignoredSchema, ignoredWords, sentences } from '../frame/ignoredPaths.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

const maxFiles = 1000;

export const searchFiles = defineTool({
  name: 'search_files',
  category: 'file',
  permission: 'none',
  errors: folderErrors,
  pseudo: 'fs find',
  about:
    'Find files by their names, with a glob: *, **, ?, [], {a,b}. A pattern without / matches names at any depth. excludePatterns add to what git ignores.',
  input: () =>
    z.object({
      pattern: z.string().min(1),
      path: z.string().optional(),
      excludePatterns: z.array(z.string()).optional(),
    }),
  output: () =>
    z.object({ files: z.array(z.string()), count: z.number(), truncated: z.boolean(), ignored: ignoredSchema }),

  text: ({ files }) => (files.length === 0 ? 'no files' : files.join('\n')),

  leftOut: ({ truncated, count, ignored }) =>
    sentences(
      truncated ? `Only the first ${count} files are here; give a narrower pattern or path` : undefined,
      ignoredWords(ignored),
    ),

  async plan({ pattern: given, path = '.', excludePatterns = [] }, look) {
    const inside = globInside(given, look.root, path);
    if (!inside.ok) return inside;
    const pattern = inside.value;
    if (pattern.startsWith('!'))
      return fail(
        'VALIDATION_ERROR',
        'What is to be left out goes into excludePatterns (a file whose name begins with ! is \\!name).',
        [{ path: 'pattern', message: 'begins with !' }],
      );
    const found = await look.resolve(path);
    if (!found.ok) return found;
    const start = found.value;
    if (start.kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${start.relative} does not exist`);
    if (start.kind !== 'directory') return fail('NOT_A_DIRECTORY', `${start.relative} is not a folder`);
    return ok({
      intent: readIntent(`Find ${pattern} in ${start.relative}`, start.relative),
      plan: { pattern, start, excludePatterns },
    });
  },

  async run({ pattern, start, excludePatterns }, { look, signal }) {
    const wanted = compileGlob(pattern);
    const excluded = excludePatterns.map((one) => compileGlob(one));
    const place = placeOf(look, start);
    const prefix = place.below === '.' ? 0 : place.below.length + 1;
    const first = firstNames(maxFiles);
    const listed = await listFiles(look, start, {
      glob: pattern,
      signal,
      take(name, isHidden) {
        if (!first.wants(name)) return;
        const below = name.slice(prefix);
        if (!wanted.wantsHidden && isDotted(below)) return;
        if (!wanted.matches(below) || excluded.some((glob) => matchesAbove(glob, below)) || isHidden()) return;
        first.add(name);
      },
    });
    if (!listed.ok) return listed;
    const files = first.names().map(place.fileOf);
    const truncated = first.isTruncated() || !listed.value.isComplete;
    return ok({ files, count: files.length, truncated, ignored: await ignoredNear(look, start.relative, signal) });
  },
});

function isDotted(name: string): boolean {
  return name.startsWith('.') || name.includes('/.');
}

/** An exclude that names a folder excludes everything below it. */
function matchesAbove(glob: Glob, below: string): boolean {
  const names = below.split('/');
  return names.some((_, index) => glob.matches(names.slice(0, index + 1).join('/')));
}
