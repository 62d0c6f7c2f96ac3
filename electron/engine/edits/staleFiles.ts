import type { Call } from '../../../shared/model/call.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { StaleFile } from '../workspace/fileWrite.ts';
import type { Look } from '../workspace/look.ts';
import { changesOf, contentsAfter } from './proposedChanges.ts';

/** The files of a proposal that waits which are no longer as they were shown: on top of the proposals that wait before it. */
export async function staleFiles(call: Call, state: SessionState, look: Look): Promise<readonly StaleFile[]> {
  const live = liveCallsOf(state);
  const before = live.slice(0, live.indexOf(call)).filter((one) => one.state !== 'finished');
  const below = contentsAfter(before.flatMap(changesOf));
  const stale: StaleFile[] = [];
  for (const change of changesOf(call)) {
    const path = change.oldPath ?? change.path;
    if (below.has(path) && below.get(path) === change.before) continue;
    const now = await look.readBytes(path);
    const hash = now.ok ? now.value.hash : null;
    if (hash === change.before) continue;
    const why = hash === null ? 'it is gone' : change.before === null ? 'it exists by now' : 'its content has changed';
    stale.push({ path, why });
  }
  return stale;
}
