import type { ReplyError } from '../base/port.ts';
import { readPromptedCall } from './callObject.ts';
import { parseLoose } from './looseJson.ts';
import { betweenFences, takeThought } from './prelude.ts';
import { bad, type CallReading, type ReadReply, type TextCall } from './reply.ts';

/**
 * The text protocol as the tool prompt states it, check by check in this order: trim and unfence, think block, blocks, then JSON, structure,
 * type, name, arguments of each block. The first error decides. One pass over the text, whatever is in it.
 */
export function readStrict(text: string): ReadReply {
  const trimmed = text.trim();
  const body = betweenFences(trimmed) ?? trimmed;
  const { reasoning, rest, repairs: thoughtRepairs } = takeThought(body, false);
  const thought = reasoning === undefined || reasoning === '' ? {} : { reasoning };
  if (rest === '') return { content: '', ...thought, calls: [], error: 'empty_output' };

  const repairs = new Set<string>(thoughtRepairs);
  if (/^\s*\uFEFF/.test(text)) repairs.add('bom');
  const blocks = readBlocks(rest);
  if (blocks.error !== undefined) {
    const detail = blocks.detail === undefined ? {} : { detail: blocks.detail };
    return { content: rest, ...thought, calls: [], error: blocks.error, ...detail };
  }
  for (const repair of blocks.repairs) repairs.add(repair);
  const found = repairs.size === 0 ? {} : { repairs: [...repairs] };
  return { content: blocks.content, ...thought, calls: blocks.calls, ...found };
}

interface Blocks {
  readonly content: string;
  readonly calls: readonly TextCall[];
  readonly repairs: readonly string[];
  readonly error?: ReplyError;
  readonly detail?: string;
}

function readBlocks(text: string): Blocks {
  const tags = tagsOf(text);
  const calls: TextCall[] = [];
  const repairs: string[] = [];
  let content = '';
  let from = 0;
  let close = 0;
  for (let at = 0; at < tags.length; at += 1) {
    const open = tags[at];
    if (!open || open.closing || open.start < from) continue;
    close = Math.max(close, at + 1);
    while (close < tags.length && !tags[close]?.closing) close += 1;
    if (close === tags.length) break; // and no later block can be closed either
    const block = readBlock(text, open, tags, close);
    if (!block.reading.ok) {
      const { error, detail } = block.reading;
      return { content: text, calls: [], repairs: [], error, detail };
    }
    calls.push(block.reading.call);
    repairs.push(...block.reading.repairs);
    content += text.slice(from, open.start);
    from = block.end;
  }
  if (calls.length === 0 && tags.length > 0) {
    return { content: text, calls: [], repairs: [], error: 'unclosed_tool_call' };
  }
  return { content: (content + text.slice(from)).trim(), calls, repairs };
}

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly closing: boolean;
}

function tagsOf(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  for (const found of text.matchAll(/<(\/?)tool_call>/gi)) {
    tags.push({ start: found.index, end: found.index + found[0].length, closing: found[1] === '/' });
  }
  return tags;
}

/** The shortest block; when that is no JSON because a closing tag stands inside a string, the one behind the string. */
function readBlock(
  text: string,
  open: Tag,
  tags: readonly Tag[],
  close: number,
): { readonly reading: CallReading; readonly end: number } {
  const first = tags[close];
  if (!first) return { reading: bad('unclosed_tool_call'), end: text.length };
  const parsed = parseLoose(text.slice(open.end, first.start), false);
  if (parsed.ok) return { reading: withRepairs(readPromptedCall(parsed.value), parsed.repairs), end: first.end };
  const outer = closingOutsideStrings(text, open.end, tags, close);
  if (outer) {
    const extended = parseLoose(text.slice(open.end, outer.start), false);
    if (extended.ok) {
      const repairs = ['closing_tag_in_string', ...extended.repairs];
      return { reading: withRepairs(readPromptedCall(extended.value), repairs), end: outer.end };
    }
  }
  return { reading: bad('json_decode_error', parsed.why), end: first.end };
}

/** The first closing tag behind `tags[close]` that is not inside a JSON string, found in one pass over the text. */
function closingOutsideStrings(text: string, from: number, tags: readonly Tag[], close: number): Tag | undefined {
  let inString = false;
  let at = from;
  for (let index = close; index < tags.length; index += 1) {
    const tag = tags[index];
    if (!tag?.closing) continue;
    for (; at < tag.start; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 34) inString = !inString;
      else if (code === 92 && inString) at += 1;
    }
    if (!inString) return index === close ? undefined : tag;
  }
  return undefined;
}

function withRepairs(reading: CallReading, repairs: readonly string[]): CallReading {
  return reading.ok ? { ...reading, repairs: [...repairs, ...reading.repairs] } : reading;
}
