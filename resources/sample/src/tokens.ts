import { DurationError } from './durationError.ts';
import { findUnit, type Unit } from './units.ts';

/** An amount with its unit, such as the `1.5h` in `2d 1.5h`. */
export interface Token {
  readonly amount: number;
  readonly unit: Unit;
}

/** One amount, its unit, and the spaces or the comma before the next. */
const pattern = /([+-]?\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/iy;

/** A new pattern with its own position, so that nested calls do not disturb each other. */
function startAt(position: number): RegExp {
  const own = new RegExp(pattern);
  own.lastIndex = position;
  return own;
}

/** Splits a text into amounts with units. Throws a DurationError where it cannot. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const reader = startAt(text.length - text.trimStart().length);

  while (reader.lastIndex < text.length) {
    const position = reader.lastIndex;
    const match = reader.exec(text);
    if (match === null) throw new DurationError('An amount and its unit were expected.', text, position);
    const [, amount = '', name = ''] = match;
    const unit = findUnit(name);
    if (unit === undefined) throw new DurationError(`"${name}" is no unit.`, text, position + amount.length);
    tokens.push({ amount: Number(amount), unit });
  }

  if (tokens.length === 0) throw new DurationError('The text is empty.', text, 0);
  return tokens;
}
