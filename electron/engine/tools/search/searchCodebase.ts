import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { searchWords } from '../../project/textSearch/searchWords.ts';
import { wordsOf } from '../../project/textSearch/wordRank.ts';
import { clipMatches } from '../frame/clipMatches.ts';
import { matchLines } from '../frame/resultLines.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

export const searchCodebase = defineTool({
  name: 'search_codebase',
  category: 'search',
  permission: 'none',
  errors: ['QUERY_TOO_SHORT'],
  pseudo: 'search codebase',
  about:
    'Find the files that are about some words, best first. Parts of camelCase and snake_case names count. For an exact text use grep_search.',
  input: () =>
    z.object({
      query: z.string(),
      includeTests: z.boolean().optional(),
      includeDocs: z.boolean().optional(),
    }),
  output: () =>
    z.object({
      results: z.array(
        z.object({
          file: z.string(),
          score: z.number(),
          matches: z.array(z.object({ line: z.number(), text: z.string() })),
        }),
      ),
      total: z.number(),
      truncated: z.boolean(),
    }),

  text: ({ results }) =>
    matchLines(results.flatMap(({ file, matches }) => matches.map((match) => ({ file, ...match })))),

  leftOut: ({ truncated, results, total }) =>
    truncated ? `Only the best ${results.length} of ${total} files are here; give rarer words` : undefined,

  async plan({ query, includeTests = true, includeDocs = true }, look) {
    const words = wordsOf(query);
    if (query.trim().length < 2 || words.length === 0)
      return fail('QUERY_TOO_SHORT', 'The query needs at least two characters, letters or digits among them');
    const start = await look.resolve('.');
    if (!start.ok) return start;
    return ok({
      intent: readIntent(`Search the project for ${query}`, '.'),
      plan: { words, start: start.value, includeTests, includeDocs },
    });
  },

  async run({ words, start, includeTests, includeDocs }, { look, signal }) {
    const accepts = (file: string) => (includeTests || !isTest(file)) && (includeDocs || !isDocument(file));
    const found = await searchWords(look, { words, start, accepts }, signal);
    if (!found.ok) return found;
    const { total, truncated } = found.value;
    const clipped = clipMatches(found.value.results);
    return ok({ results: clipped.matches, total, truncated: truncated || clipped.truncated });
  },
});

function isTest(file: string): boolean {
  const names = file.split('/');
  const name = names.at(-1) ?? '';
  return (
    names.slice(0, -1).some((folder) => /^(?:tests?|__tests__|spec)$/i.test(folder)) ||
    /\.(?:test|spec)\.[^.]+$|_test\.[^.]+$/i.test(name)
  );
}

function isDocument(file: string): boolean {
  return /\.(?:md|rst|txt|adoc)$/i.test(file);
}
