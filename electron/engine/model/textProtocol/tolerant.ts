import type { ToolSpec } from '../base/port.ts';
import { readAnyCall } from './callObject.ts';
import { readFunctionary } from './functionary.ts';
import { readHarmony } from './harmony.ts';
import { endOfValue, type LooseJson, parseLoose } from './looseJson.ts';
import { insideFence, takeThought } from './prelude.ts';
import type { ReadReply, TextCall } from './reply.ts';
import { type FoundCalls, scanCalls } from './scanCalls.ts';

/** Tokens that end a turn, where a server leaves them in the text. */
const endOfTurn =
  /(?:<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|END_OF_TURN_TOKEN)\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\|close\|>message<\|sep\|>)+$/;

/**
 * How models write calls when they were not trained on the form of the tool prompt: that form first, then Hermes, `<function=…>`, Qwen,
 * other tags around a call object, a reply that is only a (fenced) call object, Llama's list of calls, and the forms that
 * other families are trained on (`<invoke>`, GLM, Mistral, DeepSeek, Kimi, harmony) where a server leaves them in the text.
 * What stands in a fence within prose is shown, not called. What is cut off is an error, except behind calls that are
 * whole. Each way that was used is named in `repairs`.
 */
export function readTolerant(text: string, tools: readonly ToolSpec[] = []): ReadReply {
  const trimmed = text.trim().replace(endOfTurn, '').trimEnd();
  const whole = readHarmony(trimmed) ?? readFunctionary(trimmed);
  if (whole) return whole;
  const thought = takeThought(insideFence(trimmed) ?? trimmed, true);
  const reasoning = thought.reasoning === undefined || thought.reasoning === '' ? {} : { reasoning: thought.reasoning };
  const repairs = new Set<string>(thought.repairs);
  if (/^\s*\uFEFF/.test(text)) repairs.add('bom');
  const unfenced = insideFence(thought.rest) ?? insideInlineFence(thought.rest);
  const fenced = unfenced !== undefined || insideFence(trimmed) !== undefined;
  const rest = unfenced ?? thought.rest;
  if (rest === '') return { content: '', ...reasoning, calls: [], error: 'empty_output' };

  const bare = readBare(rest);
  const found = bare ?? scanCalls(rest, tools);
  if (!found.ok) {
    const detail = found.detail === undefined ? {} : { detail: found.detail };
    return { content: rest, ...reasoning, calls: [], error: found.error, ...detail };
  }
  if (bare && fenced) repairs.add('fenced_call');
  for (const repair of found.repairs) repairs.add(repair);
  // A fence around what turned out to be plain text belongs to the text.
  const content = withoutWrap(found.calls.length === 0 ? thought.rest : found.content, thought.reasoning !== undefined);
  return {
    content,
    ...reasoning,
    calls: found.calls,
    ...(repairs.size === 0 ? {} : { repairs: [...repairs] }),
  };
}

/** The words without the tokens that some families put around them; behind a thought also without `<response>`. */
function withoutWrap(content: string, thought: boolean): string {
  const bare = content.replace(wrapStart, '').replace(wrapEnd, '').trim();
  return (thought ? /^<response>([^]*)<\/response>$/.exec(bare)?.[1]?.trim() : undefined) ?? bare;
}

const wrapStart = /^(?:<\|START_(?:RESPONSE|TEXT)\|>|<\|open\|>response<\|sep\|>)/;
const wrapEnd = /(?:<\|END_(?:RESPONSE|TEXT)\|>|<\|close\|>response<\|sep\|>)$/;

/** The whole reply is one call object, or a list of them. */
function readBare(text: string): FoundCalls | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const parsed = parseSequence(text);
  if (!parsed.ok) {
    // Begun like a call and not finished: the model must say it again, it is no answer to the person.
    const begun = /^[[\s]*\{\s*"(type"\s*:\s*"tool_call"|name"\s*:\s*"[^"]*"\s*,\s*"(arguments|parameters)"\s*:)/;
    return begun.test(text) && endOfValue(text, 0) === -1
      ? { ok: false, error: 'json_decode_error', detail: parsed.why }
      : undefined;
  }
  const values = Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [parsed.value];
  const readings = values.map((value) => readAnyCall(value, true));
  if (readings.length === 0 || readings.includes(undefined)) return undefined;
  const calls: TextCall[] = [];
  const repairs: string[] = ['bare_call', ...parsed.repairs];
  for (const reading of readings) {
    if (!reading) continue;
    if (!reading.ok) return reading;
    calls.push(reading.call);
    repairs.push(...reading.repairs);
  }
  return { ok: true, calls, content: '', repairs };
}

/** One JSON value, or several with `;` or white space between (Llama): those as one list. */
function parseSequence(text: string): LooseJson {
  const whole = parseLoose(text, true);
  if (whole.ok || !text.startsWith('{')) return whole;
  const values: unknown[] = [];
  const repairs: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '{' ? endOfValue(text, at) : -1;
    const one = end === -1 ? undefined : parseLoose(text.slice(at, end), true);
    if (!one?.ok) return whole;
    values.push(one.value);
    repairs.push(...one.repairs);
    at = end;
    while (/[\s;]/.test(text[at] ?? '')) at += 1;
  }
  return { ok: true, value: values, repairs };
}

/** Fences that `insideFence` is too strict for: on one line, or with the closing marks right behind the text. */
function insideInlineFence(text: string): string | undefined {
  const found = /^```[a-z_]*\s*([[{<][^]*[\]}>])\s*```$/i.exec(text);
  return found?.[1] !== undefined && !found[1].includes('```') ? found[1].trim() : undefined;
}
