import { parseJson as parseBounded } from '../../base/boundedJson.ts';

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A finite number that is not negative, else undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A text that is not empty, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value; undefined for what is no JSON (which has no undefined) and for what is nested too deep to be walked. */
export function parseJson(text: string): unknown {
  const parsed = parseBounded(text);
  return parsed.ok ? parsed.value : undefined;
}
