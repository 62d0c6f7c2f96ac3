import type { ToolResult } from '../../../shared/result.ts';

/** The form in which a tool gives its data to a model; undefined for JSON. */
export type DataText = (data: unknown) => string | undefined;

/**
 * A call's result as the model reads it: the data in the tool's own words or as JSON, or the error with its code. Over `limit` characters the head
 * and the tail are kept, and the cut says how much is missing and how to read the rest. `call` is the id to read it by.
 */
export function clipResult(result: ToolResult, limit: number, call?: string, text?: DataText): string {
  const whole = wholeResult(result, text);
  if (whole.length <= limit) return whole;
  const tail = Math.floor(limit / 4);
  const head = trimSurrogate(whole.slice(0, limit - tail));
  const missing = whole.length - head.length - tail;
  const how =
    call === undefined
      ? ''
      : `; read them with read_result {"call":"${call}","offset":${head.length}}, or ask for a narrower part`;
  return `${head}\n… (${missing} characters left out here${how}) …\n${whole.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** The same, uncut. */
export function wholeResult(result: ToolResult, text?: DataText): string {
  const said = result.success ? text?.(result.data) : undefined;
  if (said !== undefined) return [said, ...(result.warnings ?? []).map((warning) => `(${warning})`)].join('\n');
  const warnings = result.warnings?.length ? { warnings: result.warnings } : {};
  // `success` stands there for the text protocol: its results say themselves whether the call went well.
  return result.success
    ? textOf(result.data, warnings)
    : JSON.stringify({ success: false, error: result.error, ...warnings });
}

function textOf(data: unknown, warnings: object): string {
  if (typeof data === 'string' && Object.keys(warnings).length === 0) return data;
  if (typeof data === 'object' && data !== null && !Array.isArray(data))
    return JSON.stringify({ ...data, ...warnings });
  return JSON.stringify(Object.keys(warnings).length === 0 ? (data ?? 'ok') : { data, ...warnings });
}

function trimSurrogate(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
