import type { Usage } from '../../../shared/model/usage.ts';

/** Requests, tokens and costs in words, the parts that a status line joins. */
export function spendingOf({ requests, input, output, cached, cost }: Usage): readonly string[] {
  if (requests === 0) return [];
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const fromCache = cached > 0 ? ` (${count(cached)} cached)` : '';
  return [
    `${requests} ${requests === 1 ? 'request' : 'requests'}`,
    `${count(input)} tokens in${fromCache}, ${count(output)} out`,
    cost === undefined ? 'cost unknown' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`,
  ];
}
