import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { Session } from './session.ts';

/** The turn of calls that another process runs and this engine only lets the person decide (`vise mcp`). */
export const externalTurn = 'external';

/** After a restart: whoever asked went with the connection, so nobody waits for the answer. */
export function endExternalCalls(session: Session): void {
  for (const { id, tool, turn, state } of liveCallsOf(session.state)) {
    if (turn !== externalTurn) continue;
    const message =
      state === 'running'
        ? 'Vise ended while another process ran this call, so how it ended is not known.'
        : 'Vise ended before this was answered; whoever asked has gone on without it.';
    const result = { success: false, error: { code: 'CANCELLED', message } } as const;
    session.emit({ type: 'tool.finished', call: id, tool, result });
  }
}
