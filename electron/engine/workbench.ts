import { reduceWorkbench, type WorkbenchEvent, type WorkbenchState } from '../../shared/model/workbench.ts';
import { type Clock, isoTime } from './base/clock.ts';
import type { Hub } from './hub.ts';

/** The facts beside the sessions: projects, the session list, settings, providers. Not journaled: each is kept elsewhere. */
export interface Workbench {
  readonly state: WorkbenchState;
  readonly seq: number;
  emit(event: WorkbenchEvent): void;
}

export function createWorkbench(start: WorkbenchState, hub: Hub, clock: Clock): Workbench {
  let state = start;
  let seq = 0;
  return {
    get state() {
      return state;
    },
    get seq() {
      return seq;
    },
    emit(event) {
      seq += 1;
      const envelope = { seq, at: isoTime(clock), event };
      state = reduceWorkbench(state, envelope);
      hub.workbench.emit(envelope);
    },
  };
}
