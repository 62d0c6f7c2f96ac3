import type { Usage } from '../model/usage.ts';

/** Token counts: `812`, `4.2k`, `1.3M`. */
export function countText(n: number): string {
  if (n < 1000) return String(n);
  if (n < 99_950) return `${(n / 1000).toFixed(1)}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** US dollars: `$0.0042`, `$0.731`, `$12.40`. */
export function costText(dollars: number): string {
  const places = Math.abs(dollars) < 0.01 ? 4 : Math.abs(dollars) < 0.995 ? 3 : 2;
  return `${dollars < 0 ? '−' : ''}$${Math.abs(dollars).toFixed(places)}`;
}

/** What requests took and cost, as one line in English: `12.3k tokens in (11.0k cached), 812 out · $0.012`. */
export function usageText({ input, cached, output, cost }: Usage): string {
  const read = cached > 0 ? ` (${countText(cached)} cached)` : '';
  const price = cost === undefined ? 'cost unknown' : costText(cost);
  return `${countText(input)} tokens in${read}, ${countText(output)} out · ${price}`;
}
