import { useShallow } from 'zustand/react/shallow';
import type { SessionState } from '../../shared/model/sessionState.ts';
import type { WorkbenchState } from '../../shared/model/workbench.ts';
import { sessionStateOf, useSessions } from '../mirror/sessions.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { useShown } from './shown.ts';

/** A part of the session on show. Fresh arrays and objects are compared entry by entry. */
export function useSession<T>(select: (session: SessionState) => T): T {
  const id = useShown(({ session }) => session);
  return useSessions(useShallow((mirror) => select(sessionStateOf(mirror, id))));
}

export function useWorkbench<T>(select: (workbench: WorkbenchState) => T): T {
  return useWorkbenchMirror(useShallow((mirror) => select(mirror.state)));
}

export function currentSession(): SessionState {
  return sessionStateOf(useSessions.getState(), useShown.getState().session);
}
