import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposer.ts';
import type { Redact } from '../base/redact.ts';
import type { Session } from './session.ts';
import { type SessionAt, writeSnapshot } from './snapshot.ts';

/** A journal that has less after its snapshot is read as quickly as one. */
const leastBytes = 8 * 1024 * 1024;
/** And at least this part of what the last one covers, so that all snapshots of a session cost no more than its journal. */
const leastShare = 0.5;
/** Whoever opened the session sees it first. */
const startAfterMs = 500;

/** Takes snapshots of one session in the background. */
export interface SnapshotKeeper extends Disposable {
  /** To be called when the session rests. */
  rested(): void;
}

/** `snapshotBytes`: the part of the journal that the newest snapshot covers. */
export function keepSnapshots(
  session: Session,
  snapshotBytes: number,
  { version, redact, clock }: { readonly version: string; readonly redact: Redact; readonly clock: Clock },
): SnapshotKeeper {
  let coveredBytes = snapshotBytes;
  let timer: Disposable | undefined;
  let writing = false;
  let disposed = false;
  const write = async (at: SessionAt): Promise<void> => {
    writing = true;
    try {
      await writeSnapshot(session.folder, version, at, { redact, isWanted: () => !disposed });
    } catch {
      // A full disk: the journal has everything. Not tried again before there is as much more.
    } finally {
      writing = false;
    }
  };
  return {
    rested() {
      const at = session.at;
      if (!at || timer || writing || disposed) return;
      if (at.wholeBytes - coveredBytes < Math.max(leastBytes, coveredBytes * leastShare)) return;
      coveredBytes = at.wholeBytes;
      timer = clock.after(startAfterMs, () => {
        timer = undefined;
        void write(at);
      });
    },
    dispose() {
      disposed = true;
      timer?.dispose();
    },
  };
}
