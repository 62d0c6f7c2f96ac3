/** A unit of time, from the longest to the shortest. */
export interface Unit {
  readonly symbol: string;
  /** Other ways to write it, in lower case. */
  readonly names: readonly string[];
  readonly milliseconds: number;
}

export const units: readonly Unit[] = [
  { symbol: 'w', names: ['wk', 'week', 'weeks'], milliseconds: 604_800_000 },
  { symbol: 'd', names: ['day', 'days'], milliseconds: 86_400_000 },
  { symbol: 'h', names: ['hr', 'hrs', 'hour', 'hours'], milliseconds: 3_600_000 },
  { symbol: 'm', names: ['min', 'mins', 'minute', 'minutes'], milliseconds: 60_000 },
  { symbol: 's', names: ['sec', 'secs', 'second', 'seconds'], milliseconds: 1_000 },
  { symbol: 'ms', names: ['msec', 'millisecond', 'milliseconds'], milliseconds: 1 },
];

const byName = new Map(units.flatMap((unit) => [unit.symbol, ...unit.names].map((name) => [name, unit] as const)));

/** The unit with this name, whatever the case of its letters. */
export function findUnit(name: string): Unit | undefined {
  return byName.get(name.toLowerCase());
}
