import { parseJson } from '../../base/boundedJson.ts';
import { parseSeparated, rowsAsObjects } from './csv.ts';
import { isRegex, matchGuarded } from './guardedRegex.ts';
import type { SpecOutput } from './specTypes.ts';

export interface ParsedOutput {
  /** What the model reads, at most 200,000 characters and a note. */
  readonly text: string;
  /** The data itself where the format has some and it could be read. */
  readonly structured?: { readonly value: unknown };
}

const maxText = 200_000;

/** Makes of a program's output what its spec says; what cannot be read is given raw with a line that says so. */
export function parseOutput(stdout: string, output: SpecOutput): ParsedOutput {
  const parsed = byFormat(stdout, output);
  if (parsed.text.length <= maxText) return parsed;
  return {
    ...parsed,
    text: `${parsed.text.slice(0, maxText)}\n[output cut here: ${parsed.text.length} characters in all]`,
  };
}

function byFormat(stdout: string, { format, jsonPath, successPattern }: SpecOutput): ParsedOutput {
  switch (format) {
    case 'json': {
      const parsed = parseJson(stdout);
      if (!parsed.ok) return { text: `[parse error: invalid JSON]\n${stdout}` };
      return data(jsonPath === undefined || jsonPath === '' ? parsed.value : valueAt(parsed.value, jsonPath));
    }
    case 'jsonl': {
      const lines = stdout.split('\n').filter((line) => line.trim() !== '');
      const values: unknown[] = [];
      for (const line of lines) {
        const parsed = parseJson(line);
        if (!parsed.ok) return { text: `[parse error: some lines were not valid JSON]\n${stdout}` };
        values.push(parsed.value);
      }
      return data(values);
    }
    case 'csv':
    case 'tsv': {
      const separated = parseSeparated(stdout, format === 'csv' ? ',' : '\t', format === 'csv');
      return data(rowsAsObjects(separated));
    }
    case 'text':
      return {
        text: matches(stdout, successPattern) ? stdout : `[error: output did not match success pattern]\n${stdout}`,
      };
  }
}

function data(value: unknown): ParsedOutput {
  return { text: JSON.stringify(value, null, 2), structured: { value } };
}

/** A pattern that is none is ignored. */
function matches(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined || pattern === '' || pattern.length > 1_000 || !isRegex(pattern)) return true;
  return matchGuarded(pattern, text) !== undefined;
}

/** Dotted keys, indices of arrays included; a path that leads nowhere is null. */
function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.prototype.propertyIsEnumerable.call(at, key)) return null;
    at = (at as Readonly<Record<string, unknown>>)[key]; // an object or array, so keys may be asked for
  }
  return at;
}
