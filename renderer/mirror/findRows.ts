import type { Call } from '../../shared/model/call.ts';
import type { Row } from './rows.ts';

/** Looked at of one input or output: a result may be a whole file. */
const longestText = 100_000;

/** Numbers of the rows that hold a text, as a person reads them: words, summaries, what calls were given and what they gave. */
export function findRows(rows: readonly Row[], sought: string, caseSensitive: boolean): readonly number[] {
  if (sought === '') return [];
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const wanted = fold(sought);
  return rows.flatMap((row, index) => (textsOf(row).some((text) => fold(text).includes(wanted)) ? [index] : []));
}

function textsOf(row: Row): readonly string[] {
  if (row.kind !== 'item') return row.kind === 'call' ? callTexts(row.call) : row.calls.flatMap(callTexts);
  const { item } = row;
  switch (item.kind) {
    case 'user':
    case 'system':
    case 'notice':
      return [item.text];
    case 'assistant':
      return [item.text, item.reasoning ?? ''];
    case 'end':
      return item.error ? [item.error.message] : [];
    case 'phase':
      return [];
  }
}

function callTexts({ tool, input, intent, output, result }: Call): readonly string[] {
  const gave = result?.success ? textOf(result.data) : `${result?.error.code ?? ''} ${result?.error.message ?? ''}`;
  return [tool, intent?.summary ?? '', textOf(input), output ?? '', gave].map((text) => text.slice(0, longestText));
}

/** Words within values are found as they are read, not as JSON escapes them. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, part]) => `${key}: ${textOf(part)}`)
    .join('\n');
}
