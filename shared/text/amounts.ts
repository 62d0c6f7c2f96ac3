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
export function usageText(usage: Usage): string {
  const { input, cached, output } = usage;
  const read = cached > 0 ? ` (${countText(cached)} cached)` : '';
  return `${countText(input)} tokens in${read}, ${countText(output)} out · ${spentText(usage) ?? 'cost unknown'}`;
}

/** The dollars of `usage`, with `+ ?` where a part of it has no known price; undefined where all of it is unknown. */
export function spentText({ requests, cost, unpriced }: Usage): string | undefined {
  if (requests === 0) return '$0';
  return cost === undefined ? undefined : `${costText(cost)}${unpriced ? ' + ?' : ''}`;
}
