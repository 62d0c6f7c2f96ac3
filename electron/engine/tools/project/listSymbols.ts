import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { definitionsIn, type SymbolParts } from '../../project/symbols/findSymbols.ts';
import { clipMatches } from '../frame/clipMatches.ts';
import { symbolLines } from '../frame/resultLines.ts';
import { sourceSymbolSchema } from '../frame/sourceSymbol.ts';
import { defineTool, readIntent } from '../frame/tool.ts';

export const createListSymbols = (parts: SymbolParts) =>
  defineTool({
    name: 'list_symbols',
    category: 'build',
    permission: 'none',
    errors: [
      'PATH_TRAVERSAL_DETECTED',
      'FILE_NOT_FOUND',
      'NOT_A_FILE',
      'BINARY_FILE',
      'FILE_TOO_LARGE',
      'TIMEOUT',
      'UNAVAILABLE',
    ],
    pseudo: 'fs code-defs',
    about: 'List what a source file defines: classes, functions, methods, types, constants, top-level variables.',
    input: () => z.object({ filePath: z.string() }),
    output: () =>
      z.object({
        file: z.string(),
        language: z.string(),
        symbols: z.array(sourceSymbolSchema.unwrap().omit({ column: true })),
        total: z.number(),
        truncated: z.boolean().optional(),
      }),

    text: ({ symbols }) => symbolLines(symbols),
    leftOut: ({ truncated, symbols, total }) =>
      truncated ? `Only the first ${symbols.length} of ${total} symbols are here` : undefined,

    async plan({ filePath }, look) {
      const found = await look.resolve(filePath);
      if (!found.ok) return found;
      const { relative, kind } = found.value;
      if (kind === 'missing') return fail('FILE_NOT_FOUND', `${relative} does not exist`);
      if (kind !== 'file') return fail('NOT_A_FILE', `${relative} is not a file`);
      return ok({
        intent: readIntent(`List the symbols of ${relative}`, relative),
        plan: { path: relative, start: found.value },
      });
    },

    async run({ path, start }, { look, signal }) {
      const read = await definitionsIn(parts, start, signal);
      if (!read.ok) return read;
      const file = read.value;
      if (file?.problem === 'timeout') return fail('TIMEOUT', `${path} took too long to parse`);
      if (!file || file.problem === 'unreadable') {
        const why = await look.readText(path);
        return why.ok ? fail('FILE_TOO_LARGE', `${path} is too large to parse`) : why;
      }
      const listed = file.symbols
        .filter(({ kind, container }) => kind !== 'variable' || container === undefined)
        .map(({ column: _, ...symbol }) => symbol);
      const clipped = clipMatches(listed);
      return ok({
        file: path,
        language: file.language,
        symbols: clipped.matches,
        total: listed.length,
        truncated: clipped.truncated || undefined,
      });
    },
  });
