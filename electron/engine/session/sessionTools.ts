import * as z from 'zod';
import { callsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { fail, ok } from '../../../shared/result.ts';
import { defineTool, readIntent, type Tool } from '../tools/frame/tool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { wholeResult } from './clipResult.ts';

const maxDescribed = 10;
const partChars = 30_000;

/** Names of the tools in whose name or description the words of a query stand, those with the most first. */
function toolsAbout(tools: readonly Tool[], query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = tools.map(({ name, about }) => {
    const text = `${name} ${about}`.toLowerCase();
    return { name, score: words.filter((word) => text.includes(word)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxDescribed)
    .map(({ name }) => name);
}

/** Tools that exist only inside a conversation: they tell the model what its own requests and results left out. */
export function createSessionTools(parts: {
  readonly toolset: () => Toolset;
  readonly state: () => SessionState;
  /** These tools are described in full from the next request on. */
  readonly describe: (names: readonly string[]) => void;
}): readonly Tool[] {
  return [
    defineTool({
      name: 'describe_tools',
      category: 'system',
      permission: 'none',
      about:
        'The description and input schema of tools that are only named, or that a query of words finds, so that they can be called.',
      input: () =>
        z
          .object({ names: z.array(z.string()).max(maxDescribed).optional(), query: z.string().optional() })
          .refine(({ names = [], query = '' }) => names.length > 0 || query.trim() !== '', {
            message: 'give names or a query',
            path: ['names'],
          }),
      output: () =>
        z.object({
          tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
          /** A sentence for each name that is none. */
          unknown: z.array(z.string()).optional(),
        }),
      async plan({ names: given = [], query = '' }) {
        const found = query.trim() === '' ? [] : toolsAbout(parts.toolset().tools, query);
        if (given.length === 0 && found.length === 0) return fail('TOOL_NOT_FOUND', `No tool is about "${query}".`);
        const names = [...new Set([...given, ...found])].slice(0, maxDescribed);
        const tools: { readonly name: string; readonly description: string; readonly parameters: unknown }[] = [];
        const unknown: string[] = [];
        for (const name of names) {
          const tool = parts.toolset().find(name);
          if (tool) {
            tools.push({ name, description: tool.about, parameters: tool.inputSchema() });
            continue;
          }
          const nearest = parts.toolset().nearest(name);
          const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(' or ')}?` : '';
          unknown.push(`There is no tool "${name}".${hint}`);
        }
        if (tools.length === 0) return fail('TOOL_NOT_FOUND', unknown.join(' '));
        return ok({ intent: readIntent(`Look up ${names.join(', ')}`), plan: { tools, unknown } });
      },
      async run({ tools, unknown }) {
        parts.describe(tools.map(({ name }) => name));
        return ok(unknown.length > 0 ? { tools, unknown } : { tools });
      },
    }),
    defineTool({
      name: 'read_result',
      category: 'system',
      permission: 'none',
      about: 'The part of an earlier result that was left out: the call id and the offset that the cut names.',
      input: () => z.object({ call: z.string(), offset: z.int().min(0).optional() }),
      output: () =>
        z.object({
          text: z.string(),
          offset: z.number(),
          totalChars: z.number(),
          nextOffset: z.number().optional(),
        }),
      async plan({ call: id, offset = 0 }) {
        const call = callsOf(parts.state()).find((one) => one.id === id);
        if (!call?.result) return fail('VALIDATION_ERROR', `No result of a call "${id}" is known.`);
        return ok({
          intent: readIntent(`Read on in the result of ${call.tool}`),
          plan: { result: call.result, offset, text: parts.toolset().find(call.tool)?.text },
        });
      },
      async run({ result, offset, text: toText }) {
        const whole = wholeResult(result, toText);
        const text = whole.slice(offset, offset + partChars);
        const next = offset + text.length;
        return ok({ text, offset, totalChars: whole.length, nextOffset: next < whole.length ? next : undefined });
      },
    }),
  ];
}
