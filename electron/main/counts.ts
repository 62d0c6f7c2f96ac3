import type { WorkbenchState } from '../../shared/model/workbench.ts';

/** What the whole app has under way, over all sessions. */
export interface Counts {
  /** Tasks. */
  readonly running: number;
  /** Questions. */
  readonly waiting: number;
  /** Sessions whose agent works. */
  readonly working: number;
}

export function countsOf({ sessions }: Pick<WorkbenchState, 'sessions'>): Counts {
  const all = Object.values(sessions);
  return {
    running: all.reduce((sum, { tasks }) => sum + tasks.running, 0),
    waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
    working: all.filter(({ state }) => state === 'running').length,
  };
}
