import type { WithoutKeys } from './withoutKeys.ts';

/** The first line of a text, at most 60 characters. Keys go first: half of one would no longer be found. */
export function sessionTitle(text: string, withoutKeys: WithoutKeys = (same) => same): string {
  const letters = [...withoutKeys(text.trim().split('\n', 1)[0] ?? '')];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('');
}
