import type { Client } from '../../shared/contract/client.ts';
import { followSessions } from './followSessions.ts';
import { followWorkbench } from './followWorkbench.ts';
import type { Frames } from './restingFrames.ts';

export interface Follower {
  /**
   * The engine as the window asks it. An answer never overtakes the facts that were sent before it: when it is here, the
   * mirrors show them.
   */
  readonly client: Client;
  /** Makes exactly these sessions the watched ones. */
  watchOnly(ids: readonly string[]): void;
  /** Asks for everything anew; after a new connection. Answers whether the engine spoke. */
  refresh(): Promise<boolean>;
  dispose(): void;
}

/** Keeps the mirrors equal to the engine: snapshots first, then facts in their order, a snapshot again at a gap. */
export function follow(engine: Client, frames: Frames): Follower {
  /** Snapshots that fill a gap: until they are here the mirrors are behind the answers. */
  const gaps = new Set<Promise<unknown>>();
  const onGap = (snapshot: Promise<unknown>): void => {
    gaps.add(snapshot);
    void snapshot.finally(() => gaps.delete(snapshot));
  };
  const workbench = followWorkbench(engine, frames, onGap);
  const sessions = followSessions(engine, frames, onGap);
  return {
    client: {
      ...engine,
      async call(method, input) {
        const answer = await engine.call(method, input);
        // The facts before this answer are gathered for the next frame, which may be far away.
        workbench.flush();
        sessions.flush();
        if (gaps.size > 0) await Promise.all(gaps);
        return answer;
      },
    },
    watchOnly: sessions.watchOnly,
    async refresh() {
      const spoke = await workbench.refresh();
      if (spoke) sessions.refresh();
      return spoke;
    },
    dispose() {
      workbench.dispose();
      sessions.dispose();
    },
  };
}
