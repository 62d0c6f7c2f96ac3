import type { Call } from '../../../shared/model/call.ts';

/** What the ids of the calls begin with that another call makes (a pseudo command that writes a file). */
export function innerPrefix(outer: string): string {
  return `${outer}>`;
}

/** The calls that were made on behalf of this one. */
export function innerCallsOf(outer: string, calls: Iterable<Call>): readonly Call[] {
  return [...calls].filter(({ id }) => id.startsWith(innerPrefix(outer)));
}
