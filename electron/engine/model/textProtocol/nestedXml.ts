import type { ToolSpec } from '../base/port.ts';
import { schemaOf, valueOf } from './functionTags.ts';
import { isPlainObject } from './reply.ts';
import type { TokenPiece } from './tokenCall.ts';

/** MiniMax M3 puts this token before each of its tags, so that text can hold tags of its own. */
const sign = ']<]minimax[>[';
const maxDepth = 32;
const opening = /\]<\]minimax\[>\[<invoke\s+name="([^"<>]{1,200})"\s*>/y;
const tag = /\]<\]minimax\[>\[<(\/?)([\w.:-]{1,200})>/y;

/** Where a call of MiniMax M3 begins, or a tag that only stands around it. */
export const nestedMarks = String.raw`\]<\]minimax\[>\[<(?:invoke\s|\/?tool_call>)`;

/**
 * A call whose arguments are nested elements: `<invoke name="NAME"><city>Rome</city><days><item>1</item></days></invoke>`,
 * each tag behind MiniMax's token. Children named `item` make a list, a name that stands twice too.
 */
export function readNestedCall(text: string, from: number, tools: readonly ToolSpec[]): TokenPiece | undefined {
  opening.lastIndex = from;
  const open = opening.exec(text);
  if (!open) return undefined;
  const tool = open[1] ?? '';
  const reader = new Elements(text, from + open[0].length);
  const given = reader.children('invoke', 0, (key) => schemaOf(tools, tool, key));
  if (given === undefined) return { error: 'unclosed_tool_call', detail: 'the elements of the call do not end' };
  if (!isPlainObject(given)) return { error: 'invalid_arguments', detail: 'the call holds text beside its elements' };
  return { calls: [{ tool, arguments: given }], repairs: ['invoke_tag', 'nested_elements'], end: reader.at };
}

class Elements {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** What stands up to the closing tag of `name`: elements as an object or a list, else text. */
  children(name: string, depth: number, schema: (key: string) => unknown, own?: unknown): unknown {
    if (depth > maxDepth) return undefined;
    const found: [string, unknown][] = [];
    for (;;) {
      const next = this.#text.indexOf(sign, this.at);
      if (next === -1) return undefined;
      const words = this.#text.slice(this.at, next);
      tag.lastIndex = next;
      const mark = tag.exec(this.#text);
      if (!mark) return undefined;
      this.at = next + mark[0].length;
      if (mark[1] === '/') {
        if (mark[2] !== name) return undefined;
        if (found.length > 0) return gathered(found);
        return name === 'invoke' ? {} : valueOf(words, own);
      }
      if (words.trim() !== '') return undefined;
      const key = mark[2] ?? '';
      const inner = schema(key);
      const value = this.children(key, depth + 1, (child) => childSchema(inner, child), inner);
      if (value === undefined) return undefined;
      found.push([key, value]);
    }
  }
}

function gathered(found: readonly (readonly [string, unknown])[]): unknown {
  if (found.every(([key]) => key === 'item')) return found.map(([, value]) => value);
  const grouped = new Map<string, unknown[]>();
  for (const [key, value] of found) grouped.set(key, [...(grouped.get(key) ?? []), value]);
  return Object.fromEntries([...grouped].map(([key, values]) => [key, values.length === 1 ? values[0] : values]));
}

/** The schema of an element in an element of this schema. */
function childSchema(schema: unknown, child: string): unknown {
  if (!isPlainObject(schema)) return undefined;
  if (child === 'item' && isPlainObject(schema['items'])) return schema['items'];
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {};
  return properties[child] ?? schema['additionalProperties'];
}
