import { units } from './units.ts';

/**
 * A duration as text, from the longest unit to the shortest: `1h 30m`. What is less than a millisecond is dropped.
 *
 * @param milliseconds may be negative
 * @param most how many units to write at most; shorter ones are dropped, not rounded
 */
export function format(milliseconds: number, most: number = units.length): string {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`${milliseconds} is no duration.`);
  let rest = Math.floor(Math.abs(milliseconds));
  const parts: string[] = [];
  for (const unit of units) {
    const amount = Math.floor(rest / unit.milliseconds);
    if (amount === 0 || parts.length === most) continue;
    parts.push(`${amount}${unit.symbol}`);
    rest -= amount * unit.milliseconds;
  }
  if (parts.length === 0) return '0ms';
  return (milliseconds < 0 ? '-' : '') + parts.join(' ');
}
