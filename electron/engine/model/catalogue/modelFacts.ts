import type { DialectName } from '../../../../shared/model/dialect.ts';
import type { Price } from './prices.ts';

/** What is known of one model. What is absent is unknown, and is told as unknown: nothing here is a guess. */
export interface ModelFacts {
  /** Tokens that a request and its reply may have together. */
  readonly window?: number;
  /** Tokens of one reply. */
  readonly output?: number;
  readonly price?: Price;
  readonly tools?: boolean;
  readonly pictures?: boolean;
  readonly reasoning?: boolean;
  /** The levels that may be asked for, least first. */
  readonly efforts?: readonly string[];
  /** How Messages is asked to think. */
  readonly thinking?: 'adaptive' | 'budget';
  /** False where a temperature is refused. */
  readonly temperature?: boolean;
  readonly dialect?: DialectName;
}

export const nothingKnown: ModelFacts = {};
