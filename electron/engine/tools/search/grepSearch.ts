import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { readPattern, searchText } from '../../project/textSearch/searchText.ts';
import { clipMatches } from '../frame/clipMatches.ts';
import { globInside } from '../frame/globInside.ts';
import { ignoredNear, ignoredSchema, ignoredWords, sentences } from '../frame/ignoredPaths.ts';
import { matchLines } from '../frame/resultLines.ts';
import { defineTool, readIntent } from '../frame/tool.ts';
import { searchStart } from './searchStart.ts';

const maxMatches = 500;

export const grepSearch = defineTool({
  name: 'grep_search',
  category: 'search',
  permission: 'none',
  errors: ['PATH_TRAVERSAL_DETECTED', 'DIRECTORY_NOT_FOUND', 'NOT_A_FILE', 'INVALID_REGEX'],
  pseudo: 'fs search',
  about:
    'Search file contents for an exact JavaScript regular expression, line by line. filePattern is a glob (*.ts, src/**, !*.md for all others); ignored and binary files are left out.',
  input: () =>
    z.object({
      pattern: z.string().min(1),
      path: z.string().optional(),
      filePattern: z.string().min(1).optional(),
      caseInsensitive: z.boolean().optional(),
      contextLines: z.int().min(0).max(10).optional(),
    }),
  output: () =>
    z.object({
      matches: z.array(
        z.object({
          file: z.string(),
          line: z.number(),
          column: z.number(),
          text: z.string(),
          matchStart: z.number(),
          matchEnd: z.number(),
          before: z.array(z.string()),
          after: z.array(z.string()),
        }),
      ),
      totalMatches: z.number(),
      filesWithMatches: z.number(),
      truncated: z.boolean(),
      timedOut: z.array(z.string()).optional(),
      ignored: ignoredSchema,
    }),

  text: ({ matches, timedOut = [] }) =>
    [matchLines(matches), ...timedOut.map((file) => `(not searched, it took too long: ${file})`)].join('\n'),

  leftOut: ({ truncated, matches, totalMatches, filesWithMatches, ignored }) =>
    sentences(
      truncated
        ? `Only the first ${matches.length} of ${totalMatches} matches in ${filesWithMatches} files are here; give a narrower pattern, path or filePattern`
        : undefined,
      ignoredWords(ignored),
    ),

  async plan({ pattern, path = '.', filePattern, caseInsensitive = false, contextLines = 0 }, look) {
    const readable = readPattern(pattern);
    if (!readable.ok) return readable;
    const files = filePattern === undefined ? ok(undefined) : globInside(filePattern, look.root, path);
    if (!files.ok) return files;
    const found = await searchStart(look, path);
    if (!found.ok) return found;
    const start = found.value;
    const search = {
      pattern,
      start,
      contextLines,
      limit: maxMatches,
      ignoreCase: caseInsensitive,
      files: files.value,
    };
    return ok({ intent: readIntent(`Search ${start.relative} for ${pattern}`, start.relative), plan: search });
  },

  async run(search, { look, signal }) {
    const found = await searchText(look, search, signal);
    if (!found.ok) return found;
    const { totalMatches, filesWithMatches, timedOut } = found.value;
    const clipped = clipMatches(found.value.matches);
    return ok({
      matches: clipped.matches,
      totalMatches,
      filesWithMatches,
      truncated: found.value.truncated || clipped.truncated,
      timedOut: timedOut.length > 0 ? timedOut : undefined,
      ignored: search.start.kind === 'directory' ? await ignoredNear(look, search.start.relative, signal) : undefined,
    });
  },
});
