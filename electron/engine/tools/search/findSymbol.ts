import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { findDefinitions, type SymbolParts } from '../../project/symbols/findSymbols.ts';
import type { SourceSymbol, SymbolKind } from '../../project/symbols/symbol.ts';
import { clipMatches } from '../frame/clipMatches.ts';
import { matchLines } from '../frame/resultLines.ts';
import { sourceSymbolSchema } from '../frame/sourceSymbol.ts';
import { defineTool, readIntent } from '../frame/tool.ts';
import { askedSymbol, isContainer } from './symbolStart.ts';

const maxDefinitions = 500;

const kindsOf: Readonly<Record<'function' | 'class' | 'interface' | 'variable' | 'constant', readonly SymbolKind[]>> = {
  function: ['function', 'method'],
  class: ['class', 'struct', 'trait', 'enum'],
  interface: ['interface'],
  variable: ['variable'],
  constant: ['constant'],
};

export const createFindSymbol = (parts: SymbolParts) =>
  defineTool({
    name: 'find_symbol',
    category: 'search',
    permission: 'none',
    errors: ['PATH_TRAVERSAL_DETECTED', 'DIRECTORY_NOT_FOUND', 'NOT_A_FILE', 'UNAVAILABLE'],
    about:
      'Find where a name is defined, by the syntax of the code: exact and case-sensitive; Class.method asks for a member.',
    input: () =>
      z.object({
        symbol: z.string().min(1),
        path: z.string().optional(),
        symbolType: z.enum(['function', 'class', 'interface', 'variable', 'constant']).optional(),
      }),
    output: () =>
      z.object({
        symbol: z.string(),
        definitions: z.array(
          sourceSymbolSchema.unwrap().omit({ endLine: true }).extend({ file: z.string(), language: z.string() }),
        ),
        count: z.number(),
        truncated: z.boolean().optional(),
        timedOut: z.array(z.string()).optional(),
        notSearched: z.array(z.string()).optional(),
      }),

    text: ({ definitions, timedOut = [], notSearched = [] }) =>
      [
        matchLines(
          definitions.map(({ file, line, signature }) => ({ file, line, text: signature })),
          'no definition',
        ),
        ...[...timedOut, ...notSearched].map((file) => `(not searched: ${file})`),
      ].join('\n'),

    async plan({ symbol, path = '.', symbolType }, look) {
      const asked = await askedSymbol(look, symbol, path);
      if (!asked.ok) return asked;
      const { relative } = asked.value.start;
      return ok({
        intent: readIntent(`Find the definition of ${symbol}`, relative),
        plan: { symbol, ...asked.value, kinds: symbolType && kindsOf[symbolType] },
      });
    },

    async run({ symbol, name, container, start, kinds }, { look, signal }) {
      const accepts = (one: SourceSymbol) =>
        isContainer(container, one.container) && (kinds === undefined || kinds.includes(one.kind));
      const found = await findDefinitions(look, parts, { name, start, limit: maxDefinitions, accepts }, signal);
      if (!found.ok) return found;
      const { truncated, timedOut, generated } = found.value;
      const clipped = clipMatches(found.value.found.map(({ endLine: _, ...definition }) => definition));
      return ok({
        symbol,
        definitions: clipped.matches,
        count: clipped.matches.length,
        truncated: truncated || clipped.truncated || undefined,
        timedOut: timedOut.length > 0 ? timedOut : undefined,
        // Said, so that nobody takes a bundle's silence for an answer; a path of their own searches them.
        notSearched: generated.length > 0 ? generated.slice(0, 20) : undefined,
      });
    },
  });
