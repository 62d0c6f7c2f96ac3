import { programOf } from './programs/programs.ts';

export type Hit = 'yes' | 'maybe' | 'no';

interface Flags {
  /** Names of one option: a character stands for `-x`, `+` for a word that begins with it, the rest for `--name`. */
  readonly same: readonly (readonly string[])[];
  /** Characters that must have a value: the rest of their cluster, or the next word. */
  readonly valued: string;
}

const read = new Map<string, Flags | undefined>();

function flagsOf(program: string, verb: string | undefined): Flags | undefined {
  const key = `${program} ${verb ?? ''}`;
  if (read.has(key)) return read.get(key);
  const { flags = {} } = programOf(program);
  const names = verb !== undefined && Object.hasOwn(flags, verb) ? flags[verb] : flags[''];
  const found = names && { same: names[0].split(' | ').map((row) => row.split(' ')), valued: names[1] ?? '' };
  // Only what the tables name is remembered: verbs are the agent's words, and endless.
  if (found) read.set(key, found);
  return found;
}

/** How sure it is that two options of one program are the same; `maybe` where nobody wrote them down and they could be. */
export function sameFlag(program: string, verb: string | undefined, wanted: string, given: string): Hit {
  if (wanted === given) return 'yes';
  const table = flagsOf(program, verb);
  const known = table?.same.filter((names) => names.includes(wanted)) ?? [];
  if (known.some((names) => names.includes(given))) return 'yes';
  const isKnown = (name: string): boolean => table?.same.some((names) => names.includes(name)) === true;
  // Programs take any beginning of a long name that fits only one.
  if (given.length > 1 && wanted.length > given.length && wanted.startsWith(given))
    return isKnown(given) ? 'no' : 'maybe';
  const abbreviated = known.some((names) => names.some((name) => given.length > 1 && name.startsWith(given)));
  if (abbreviated && !isKnown(given)) return 'maybe';
  const isPair = (wanted.length === 1) !== (given.length === 1);
  const mayBePair = isPair && !isKnown(wanted) && !isKnown(given);
  return mayBePair && wanted[0]?.toLowerCase() === given[0]?.toLowerCase() ? 'maybe' : 'no';
}

/** Whether this option takes a value: the rest of its cluster, or the next word. Nothing where the program's options are not known. */
export function takesRest(program: string, verb: string | undefined, name: string): boolean | undefined {
  const table = flagsOf(program, verb);
  if (table === undefined) return undefined;
  return [...table.valued].some(
    (char) => char === name || table.same.some((names) => names.includes(char) && names.includes(name)),
  );
}

export const bestHit = (hits: readonly Hit[]): Hit =>
  hits.includes('yes') ? 'yes' : hits.includes('maybe') ? 'maybe' : 'no';

export const worstHit = (hits: readonly Hit[]): Hit =>
  hits.includes('no') ? 'no' : hits.includes('maybe') ? 'maybe' : 'yes';
