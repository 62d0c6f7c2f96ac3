import type { SessionSummary } from '../../shared/model/workbench.ts';

/** The project that a session stands under: of one in a lane, that of the lane. */
export function homeOfSession({ lane, project }: Pick<SessionSummary, 'lane' | 'project'>): string {
  return lane?.home ?? project;
}

/** The same of a project on show, which may be the folder of a lane. */
export function homeOfProject<P extends string | null>(
  sessions: Readonly<Record<string, SessionSummary>>,
  project: P,
): string | P {
  const inLane = Object.values(sessions).find((one) => one.lane !== undefined && one.project === project);
  return inLane?.lane?.home ?? project;
}
