import type { Client } from '../../shared/contract/client.ts';
import { reduceWorkbench, type WorkbenchEnvelope } from '../../shared/model/workbench.ts';
import { createBatch } from './batch.ts';
import type { Frames } from './restingFrames.ts';
import { useWorkbenchMirror } from './workbench.ts';

/** Keeps what is beside the sessions equal to the engine's. `onGap` is handed each snapshot that fills a gap. */
export function followWorkbench(engine: Client, frames: Frames, onGap: (snapshot: Promise<unknown>) => void) {
  /** Facts that came while a snapshot is under way. */
  let early: WorkbenchEnvelope[] | undefined;

  const fetch = async (): Promise<boolean> => {
    early = [];
    const answer = await engine.call('workbench.watch', {});
    batch.flush();
    const since = early;
    early = undefined;
    if (!answer.ok) return false;
    useWorkbenchMirror.setState(answer.value, true);
    take(since);
    return true;
  };

  const take = (envelopes: readonly WorkbenchEnvelope[]): void => {
    if (early) return void early.push(...envelopes);
    const before = useWorkbenchMirror.getState();
    let { seq, state } = before;
    for (const envelope of envelopes) {
      if (envelope.seq <= seq) continue;
      if (envelope.seq > seq + 1) {
        onGap(fetch());
        break;
      }
      state = reduceWorkbench(state, envelope);
      seq = envelope.seq;
    }
    if (seq !== before.seq) useWorkbenchMirror.setState({ seq, state });
  };

  const batch = createBatch<WorkbenchEnvelope>(frames, take);
  const stop = engine.onWorkbench((envelope) => batch.add(envelope));

  return {
    flush: batch.flush,
    /** Asks for everything anew. Answers whether the engine spoke. */
    refresh: fetch,
    dispose() {
      stop();
      batch.dispose();
    },
  };
}
