import type { Client } from '../../../shared/contract/client.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { diffOfFile } from '../../engine/workspace/diffOfFile.ts';
import { duration } from '../base/duration.ts';
import { keptText } from '../base/keptText.ts';
import { localTime } from '../base/localTime.ts';
import { columns } from '../terminal/columns.ts';

/** What slash commands say about sessions. Texts of others in them have yet to pass `forTerminal`. */

export function sessionsText(list: readonly SessionSummary[], width?: number): string {
  const rows = list.map((one) => [one.id, localTime(one.updatedAt), one.title || '(untitled)', one.project]);
  return columns(['session', 'changed', 'title', 'project'], rows, width).trimEnd() || 'none yet';
}

export function tasksText({ tasks }: SessionState, width?: number): string {
  const rows = Object.values(tasks).map(({ id, state, exitCode, startedAt, endedAt, command }) => {
    const took =
      startedAt !== undefined && endedAt !== undefined ? duration(Date.parse(endedAt) - Date.parse(startedAt)) : '';
    return [id, exitCode === undefined ? state : `exit code ${exitCode}`, took, command];
  });
  return columns(['task', 'state', 'took', 'command'], rows, width).trimEnd() || 'no commands yet';
}

/** Takes the last change set back that stands. */
export async function undoLast({ id, changeSets }: SessionState, client: Client): Promise<string> {
  const last = changeSets.findLast(({ state }) => state === 'applied');
  if (!last) return 'there is no change to take back';
  const undone = await client.call('change.undo', { session: id, changeSet: last.id });
  return undone.ok ? `taken back: ${undone.value.files.join(', ')}` : `error: ${undone.error.message}`;
}

/** All that the session has changed and not taken back, oldest first. */
export async function sessionDiff({ changeSets }: SessionState, client: Client, session: string): Promise<string> {
  const files = changeSets.filter(({ state }) => state === 'applied').flatMap((set) => set.files);
  const diffs = await Promise.all(
    files
      .filter(({ verdict }) => verdict !== 'rejected')
      .map(
        async (file) =>
          (await diffOfFile(file, keptText(client, session))) ?? `${file.status} ${file.path} (no text)\n`,
      ),
  );
  return diffs.join('');
}
