import { useEffect } from 'react';
import { toast } from 'sonner';
import type { Lane } from '../../../shared/model/lane.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { useOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';

const noneTold: readonly string[] = [];

/**
 * The lanes of a project, looked at when it is shown and when a session of theirs has moved on: the first look also puts right
 * what a crash had cut in two, and that is told. Null where there can be none.
 */
export function useLanes(
  home: string | null,
  sessions: Readonly<Record<string, SessionSummary>>,
): readonly Lane[] | null {
  const { said } = useWords();
  // A lane is made, closed and let go in dialogs.
  const dialog = useOverlay(({ open }) => open?.kind ?? '');
  const again = `${dialog} ${movesOf(sessions, home)}`;
  const answer = useAnswer('lane.list', home === null ? null : { project: home }, { again });
  const told = answer?.told ?? noneTold;
  useEffect(() => {
    for (const one of told) toast(said(one));
  }, [told, said]);
  return answer?.lanes ?? null;
}

/** Changes when a session in a lane of the project begins, ends a turn, waits or goes to the archive; not with each event. */
export function movesOf(sessions: Readonly<Record<string, SessionSummary>>, home: string | null): string {
  return Object.values(sessions)
    .filter(({ lane }) => lane !== undefined && lane.home === home)
    .map(({ id, state, turns, archived }) => `${id} ${state} ${turns} ${archived}`)
    .join();
}

/** The lane that a session stands in; none of a name that was used again after it. */
export function laneOf(
  lanes: readonly Lane[],
  { lane, project }: Pick<SessionSummary, 'lane' | 'project'>,
): Lane | undefined {
  return lane && lanes.find(({ name, folder }) => name === lane.name && folder === project);
}
