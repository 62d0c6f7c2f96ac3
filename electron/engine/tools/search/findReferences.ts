import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { findReferencesTo, type SymbolParts } from '../../project/symbols/findSymbols.ts';
import { clipMatches } from '../frame/clipMatches.ts';
import { matchLines } from '../frame/resultLines.ts';
import { defineTool, readIntent } from '../frame/tool.ts';
import { askedSymbol } from './symbolStart.ts';

const maxReferences = 1000;

export const createFindReferences = (parts: SymbolParts) =>
  defineTool({
    name: 'find_references',
    category: 'search',
    permission: 'none',
    errors: ['PATH_TRAVERSAL_DETECTED', 'DIRECTORY_NOT_FOUND', 'NOT_A_FILE', 'UNAVAILABLE'],
    about: 'Find where a name is used in code: whole identifiers outside comments and strings, imports included.',
    input: () => z.object({ symbol: z.string().min(1), path: z.string().optional() }),
    output: () =>
      z.object({
        symbol: z.string(),
        references: z.array(
          z.object({
            file: z.string(),
            line: z.number(),
            column: z.number(),
            text: z.string(),
            isDefinition: z.boolean(),
          }),
        ),
        count: z.number(),
        truncated: z.boolean(),
        timedOut: z.array(z.string()).optional(),
        notSearched: z.array(z.string()).optional(),
      }),

    text: ({ references, timedOut = [] }) =>
      [matchLines(references, 'no references'), ...timedOut.map((file) => `(not searched: ${file})`)].join('\n'),
    leftOut: ({ truncated, count }) =>
      truncated ? `Only the first ${count} references are here; give a path` : undefined,

    async plan({ symbol, path = '.' }, look) {
      const asked = await askedSymbol(look, symbol, path);
      if (!asked.ok) return asked;
      const { name, start } = asked.value;
      return ok({
        intent: readIntent(`Find what uses ${symbol}`, start.relative),
        plan: { symbol, name, start },
      });
    },

    async run({ symbol, name, start }, { look, signal }) {
      const found = await findReferencesTo(look, parts, { name, start, limit: maxReferences }, signal);
      if (!found.ok) return found;
      const { truncated, timedOut, generated } = found.value;
      const clipped = clipMatches(found.value.found);
      return ok({
        symbol,
        references: clipped.matches,
        count: clipped.matches.length,
        truncated: truncated || clipped.truncated,
        timedOut: timedOut.length > 0 ? timedOut : undefined,
        // Said, so that nobody takes a bundle's silence for an answer; a path of their own searches them.
        notSearched: generated.length > 0 ? generated.slice(0, 20) : undefined,
      });
    },
  });
