import type { Clock } from '../base/clock.ts';

/** How long one answer holds, minutes. */
export const grantMinutes = 60;

export interface TimedGrant {
  readonly id: string;
  readonly tool: string;
  /** Real path of the folder that it holds for. */
  readonly place: string;
  /** ISO time. */
  readonly expiresAt: string;
}

/**
 * What a person allowed for an hour: one tool in one folder. Kept in memory only, so that it never outlives the engine
 * that asked; shared by all sessions of the project.
 */
export interface TimedGrants {
  give(tool: string, place: string): TimedGrant;
  /** The grant that holds now. */
  find(tool: string, place: string): TimedGrant | undefined;
  list(): readonly TimedGrant[];
  /** False when there is no such grant any more. */
  revoke(id: string): boolean;
}

export function createTimedGrants(clock: Clock): TimedGrants {
  const grants = new Map<string, TimedGrant>();
  const idOf = (tool: string, place: string): string => `grant_${tool}@${place}`;
  const current = (): readonly TimedGrant[] => {
    for (const [id, { expiresAt }] of grants) if (Date.parse(expiresAt) <= clock.now()) grants.delete(id);
    return [...grants.values()];
  };
  return {
    give(tool, place) {
      const id = idOf(tool, place);
      const grant = { id, tool, place, expiresAt: new Date(clock.now() + grantMinutes * 60_000).toISOString() };
      grants.set(id, grant);
      return grant;
    },
    find: (tool, place) => current().find(({ id }) => id === idOf(tool, place)),
    list: current,
    revoke: (id) => grants.delete(id),
  };
}
