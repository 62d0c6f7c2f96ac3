import type { Follower } from '../mirror/follow.ts';
import { waitingSessions } from '../mirror/selectors.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { useView } from '../view/view.ts';

/** Keeps exactly those sessions watched that the window needs: the one on show, and all that wait for an answer. */
export function followShown(follower: Follower): () => void {
  let last = '';
  const look = (): void => {
    const { session } = useView.getState();
    const ids = new Set(waitingSessions(useWorkbenchMirror.getState().state));
    if (session !== null) ids.add(session);
    const key = [...ids].toSorted().join(' ');
    if (key === last) return;
    last = key;
    follower.watchOnly([...ids]);
  };
  const stops = [useWorkbenchMirror.subscribe(look), useView.subscribe(look)];
  look();
  return () => {
    for (const stop of stops) stop();
  };
}
