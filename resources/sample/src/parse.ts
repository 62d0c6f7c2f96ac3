import { tokenize } from './tokens.ts';

/**
 * Milliseconds of a duration.
 *
 *     parse('1h 30m')  // 5400000
 *     parse('250ms')   // 250
 *
 * Units may stand in any order and more than once; they are added up. An amount may have a fraction, but no exponent.
 * Nothing is rounded: `parse('0.1ms')` is a tenth of a millisecond.
 *
 * Throws a DurationError, which names the place, for any other text.
 */
export function parse(text: string): number {
  return tokenize(text).reduce((sum, { amount, unit }) => sum + amount * unit.milliseconds, 0);
}
