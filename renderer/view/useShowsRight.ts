import type { SessionState } from '../../shared/model/sessionState.ts';
import { waitingChanges } from '../mirror/selectors.ts';
import { useLayout } from './layout.ts';
import { useSession } from './useSession.ts';

const shows = (wish: ReturnType<typeof useLayout.getState>['rightSide'], session: SessionState): boolean =>
  wish === 'shown' || (wish === 'auto' && (session.changeSets.length > 0 || waitingChanges(session).length > 0));

/** Whether the right side takes room: on the person's wish, or while the session has something to review. */
export const showsRight = (session: SessionState): boolean => shows(useLayout.getState().rightSide, session);

export function useShowsRight(): boolean {
  const wish = useLayout(({ rightSide }) => rightSide);
  return useSession((session) => shows(wish, session));
}
