import type { Follower } from '../mirror/follow.ts';
import { waitingSessions } from '../mirror/selectors.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { useShown } from '../view/shown.ts';

/** Keeps exactly those sessions watched that the window needs: the one on show, and all that wait for an answer. */
export function followShown(follower: Follower): () => void {
  let last = '';
  const look = (): void => {
    const { session } = useShown.getState();
    const ids = new Set(waitingSessions(useWorkbenchMirror.getState().state));
    if (session !== null) ids.add(session);
    const key = [...ids].toSorted().join(' ');
    if (key === last) return;
    last = key;
    follower.watchOnly([...ids]);
  };
  const stops = [useWorkbenchMirror.subscribe(look), useShown.subscribe(look)];
  look();
  return () => {
    for (const stop of stops) stop();
  };
}
