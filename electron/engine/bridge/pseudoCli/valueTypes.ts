import { parseJson } from '../../base/boundedJson.ts';
import { findJsonFault } from '../../model/jsonFault.ts';
import type { Param } from './action.ts';
import type { Value } from './tokenize.ts';

const numberPattern = /^-?\d+(\.\d+)?$/;

export interface Typed {
  readonly value: unknown;
  readonly warning?: string;
}

export type Fitted = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** The value that a token means by its look alone; no token means a flag without a value, which is true. */
export function typeGeneric(value: Value | undefined): Typed {
  if (value === undefined) return { value: true };
  if (value.json !== undefined) return { value: value.json.value };
  if (value.quoted) return { value: value.text };
  if (value.text === 'true' || value.text === 'false') return { value: value.text === 'true' };
  if (!numberPattern.test(value.text)) return { value: value.text };
  const number = numberOf(value.text);
  const exact = Number.isSafeInteger(number) || value.text.includes('.');
  return exact ? { value: number } : { value: number, warning: `${value.text.slice(0, 40)} is not exact as a number` };
}

function numberOf(text: string): number {
  const number = Number(text);
  return number === 0 ? 0 : number; // never -0
}

/** The value as the declared type wants it; the message names the flag. */
export function typeDeclared(param: Param, value: Value | undefined | 'negated', generic: unknown): Fitted {
  const { flag, type } = param;
  const wrong = (wanted: string): Fitted => ({ ok: false, message: `${flag} ${wanted}` });
  if (type === 'boolean') {
    if (value === undefined) return { ok: true, value: true };
    if (value === 'negated') return { ok: true, value: false };
    if (value.text === 'true' || value.text === 'false') return { ok: true, value: value.text === 'true' };
    return wrong(`must be true or false, not ${shown(value.text)}`);
  }
  if (value === undefined) return wrong('needs a value');
  if (value === 'negated') return wrong(`needs a value; --no-${flag.slice(2)} is for true-or-false flags`);
  if (param.accepts?.(value.text)) return { ok: true, value: value.text };
  switch (type) {
    case 'string':
      return { ok: true, value: value.text };
    case 'number': {
      const number = numberPattern.test(value.text) ? numberOf(value.text) : NaN;
      return Number.isFinite(number)
        ? { ok: true, value: number }
        : wrong(`must be a number, not ${shown(value.text)}`);
    }
    case 'json': {
      if (value.json !== undefined) return { ok: true, value: generic };
      if (value.openJson) return wrong(`is unterminated JSON: ${shown(value.text)}`);
      const parsed = parseJson(value.text);
      return parsed.ok
        ? { ok: true, value: parsed.value }
        : wrong(`is not valid JSON: ${parsed.message}${placeOf(value.text, parsed.message)}`);
    }
    default: {
      const words = type.split('|');
      return words.includes(value.text)
        ? { ok: true, value: value.text }
        : wrong(`must be one of ${words.join(', ')}, not ${shown(value.text)}`);
    }
  }
}

/** Finding the place takes a walk through the text, which nobody would read if it were longer. */
const maxPlaced = 20_000;

/** Where the fault is, counted from 0, for messages of the runtime that do not say. */
function placeOf(text: string, message: string): string {
  if (/\bposition \d/.test(message) || text.length > maxPlaced) return '';
  const fault = findJsonFault(text);
  if (fault === undefined) return '';
  const before = text.split('\n').slice(0, fault.line - 1);
  const offset = before.reduce((sum, line) => sum + line.length + 1, 0) + fault.column - 1;
  return ` (at position ${offset})`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}
