import type { Redact } from '../base/redact.ts';

/** The first line of a text, at most 60 characters. Keys go first: half of one would no longer be found. */
export function sessionTitle(text: string, redact: Redact = (same) => same): string {
  const letters = [...redact(text.trim().split('\n', 1)[0] ?? '')];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('');
}
