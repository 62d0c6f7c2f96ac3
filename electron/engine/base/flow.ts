import type { Connection } from '../../../shared/contract/connection.ts';
import type { HostFrame } from '../../../shared/contract/frame.ts';
import type { Clock } from './clock.ts';
import type { Disposable } from './disposer.ts';

/** Beyond this a client is behind: it gets no facts until it has read what waits for it. */
const behindBytes = 8 * 1024 * 1024;
/** It is read so far that it may go on. */
const caughtUpBytes = 1024 * 1024;
/** Answers wait too; a client that asks and never reads is let go. */
const maxBytes = 64 * 1024 * 1024;
/** Nothing was read for so long: nobody is there. */
const patienceMs = 120_000;
const lookMs = 100;

/** What leaves to one client: never more than it reads. */
export interface Flow extends Disposable {
  post(frame: HostFrame): void;
}

/**
 * Facts are dropped while the client is behind, and the last one of each session is sent when it has caught up: it sees the
 * gap in the numbers and takes a snapshot, as after any gap. One that reads nothing at all is closed with the reason.
 */
export function createFlow(connection: Connection, clock: Clock, end: (reason: string) => void): Flow {
  const pending = (): number => connection.pendingBytes?.() ?? 0;
  /** By what they are facts of; the newest counts. */
  const missed = new Map<string, HostFrame>();
  let looking: Disposable | undefined;
  let leastBytes = 0;
  let leastAt = 0;
  const look = (): void => {
    looking = undefined;
    const left = pending();
    if (left < leastBytes) [leastBytes, leastAt] = [left, clock.monotonicMs()];
    if (left <= caughtUpBytes) {
      for (const frame of missed.values()) connection.post(frame);
      missed.clear();
    } else if (clock.monotonicMs() - leastAt >= patienceMs)
      end('This window has read nothing for two minutes. Reload it to go on.');
    else looking = clock.after(lookMs, look);
  };
  return {
    post(frame) {
      const left = pending();
      const isFact = frame.kind === 'event' || frame.kind === 'workbench';
      if (left > maxBytes) return end('This window does not read what it asks for. Reload it to go on.');
      if (!isFact || (left <= behindBytes && missed.size === 0)) return connection.post(frame);
      missed.set(frame.kind === 'event' ? frame.envelope.session : '', frame);
      if (looking) return;
      [leastBytes, leastAt] = [left, clock.monotonicMs()];
      looking = clock.after(lookMs, look);
    },
    dispose() {
      looking?.dispose();
      missed.clear();
    },
  };
}
