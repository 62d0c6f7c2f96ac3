import type { AppliedFile, Change } from '../../../shared/model/change.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import { shortId } from '../base/ids.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { Session } from './session.ts';

/**
 * After a crash: finishes or takes back what was being written, and tells the session what became of it. A change whose
 * files all have their new content ends as applied, so that it is neither lost nor made twice.
 */
export async function recoverSession(session: Session, hands: FileHands): Promise<void> {
  const recovered = await hands.recoverApplies();
  for (const apply of recovered) {
    const calls = liveCallsOf(session.state).filter((call) => call.state === 'running');
    const call = calls.find(({ intent }) => {
      const preview = intent?.preview;
      return (
        preview?.kind === 'changes' &&
        apply.files.every((file) => preview.changes.some((change) => change.path === file.path))
      );
    });
    if (apply.conflicts.length > 0) {
      session.emit({
        type: 'notice',
        level: 'warning',
        code: 'recovered',
        text: `Vise ended while it wrote files. These were changed by somebody else since and are left as they are: ${apply.conflicts.join(', ')}`,
      });
    }
    const preview = call?.intent?.preview;
    if (!call || preview?.kind !== 'changes' || apply.outcome !== 'finished') continue;
    const files = apply.files.map((file) =>
      appliedFile(
        file,
        preview.changes.find((change) => change.path === file.path),
      ),
    );
    session.emit({ type: 'change.applied', changeSet: shortId('change'), call: call.id, turn: call.turn, files });
    session.emit({
      type: 'tool.finished',
      call: call.id,
      tool: call.tool,
      result: {
        success: true,
        data: { recovered: true, files: files.map(({ path, verdict }) => ({ path, verdict })) },
      },
    });
  }
}

function appliedFile(
  file: { readonly path: string; readonly before: string | null; readonly after: string | null },
  change: Change | undefined,
): AppliedFile {
  return {
    path: file.path,
    status: change?.status ?? 'modified',
    before: file.before,
    after: file.after,
    additions: change?.additions ?? 0,
    deletions: change?.deletions ?? 0,
    verdict: change?.after === file.after ? 'applied' : 'edited',
  };
}
