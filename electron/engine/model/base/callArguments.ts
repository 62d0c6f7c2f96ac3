import { fail, ok, type Result } from '../../../../shared/result.ts';
import { parseJson } from '../../base/boundedJson.ts';

/**
 * The arguments of a call as an object. Nothing means no arguments; a JSON text that holds the JSON of an object (double
 * encoding) is opened once. Anything else, above all what was cut off, is VALIDATION_ERROR: it is never repaired.
 */
export function parseCallArguments(text: string): Result<Readonly<Record<string, unknown>>> {
  if (text.trim() === '') return ok({});
  const first = parse(text);
  const value = first.ok && typeof first.value === 'string' ? parse(first.value) : first;
  if (!value.ok) return value;
  if (value.value === null) return ok({});
  if (typeof value.value !== 'object' || Array.isArray(value.value)) {
    return fail('VALIDATION_ERROR', 'The arguments must be one JSON object, e.g. {"filePath": "src/a.ts"}.');
  }
  return ok(value.value as Readonly<Record<string, unknown>>); // an object of JSON has text keys only
}

/** Servers parse the arguments of earlier calls and refuse the whole request when they are no JSON (a reply cut off). */
export function sendableArguments(text: string): string {
  if (text.trim() === '') return '{}';
  const parsed = parse(text);
  if (!parsed.ok) return JSON.stringify({ unreadable: text });
  return typeof parsed.value === 'object' && parsed.value !== null ? text : '{}';
}

function parse(text: string): Result<unknown> {
  const parsed = parseJson(text);
  return parsed.ok
    ? ok(parsed.value)
    : fail('VALIDATION_ERROR', `The arguments are not valid JSON (${parsed.message}). Send the whole call again.`);
}
