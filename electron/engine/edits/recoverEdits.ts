import type { Call } from '../../../shared/model/call.ts';
import type { AppliedFile, Change } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { shortId } from '../base/ids.ts';
import type { Look } from '../workspace/look.ts';
import type { RecoveredApply } from '../workspace/recoverApplies.ts';
import { allAre } from './editsOnDisk.ts';
import { changesOf, contentsAfter, writtenWith } from './proposedChanges.ts';

/** Of a session: what is known of its calls, and where its facts go. */
interface EditedSession {
  readonly state: SessionState;
  emit(event: SessionEvent): void;
}

/** Of the session's project: what became of the writes that the crash had cut in two. */
interface RecoveredProject {
  readonly look: Look;
  readonly recovered: readonly RecoveredApply[];
}

/**
 * After a crash: tells the session what became of what was being written. A change that is on the disk but not in the
 * journal (a crash between the two) ends as applied, so that it is neither lost nor made twice, and can be undone like
 * any other.
 */
export async function recoverEdits(session: EditedSession, { look, recovered }: RecoveredProject): Promise<void> {
  const finished = recovered.filter((one) => one.outcome === 'finished' && one.session === session.state.id);
  const told = new Set<string>();
  for (const call of liveCallsOf(session.state)) {
    if (told.has(call.id) || call.state !== 'running' || call.changeSet !== undefined) continue;
    const group = writtenWith(call, liveCallsOf(session.state)).filter(({ state }) => state === 'running');
    const changes = onePerFile(group.flatMap(changesOf));
    if (changes.length === 0) continue;
    const apply = finished.find(({ files }) => files.every(({ path }) => names(changes).has(path)));
    const files = apply
      ? changes.map((change) => appliedFile(change, apply))
      : (await allAre(look, contentsAfter(changes)))
        ? await Promise.all(changes.map((change) => foundFile(change, look)))
        : undefined;
    for (const { id } of group) told.add(id);
    if (files) emitApplied(session, group, files);
  }
}

function emitApplied(session: EditedSession, group: readonly Call[], files: readonly AppliedFile[]): void {
  const [first] = group;
  if (!first) return;
  const calls = group.length > 1 ? { calls: group.map(({ id }) => id) } : {};
  session.emit({
    type: 'change.applied',
    changeSet: shortId('change'),
    call: first.id,
    ...calls,
    turn: first.turn,
    files,
  });
}

/** Edits of one file that lie on top of each other, as the one change that was written. */
function onePerFile(changes: readonly Change[]): readonly Change[] {
  const byPath = new Map<string, Change>();
  for (const change of changes) {
    const below = byPath.get(change.path);
    byPath.set(
      change.path,
      below
        ? {
            ...below,
            after: change.after,
            additions: below.additions + change.additions,
            deletions: below.deletions + change.deletions,
          }
        : change,
    );
  }
  return [...byPath.values()];
}

function names(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])));
}

function appliedFile(change: Change, apply: RecoveredApply): AppliedFile {
  const written = apply.files.find((file) => file.path === change.path);
  return { ...shapeOf(change), after: written?.after ?? null, verdict: verdictOf(change, written?.after) };
}

function verdictOf(change: Change, after: string | null | undefined): AppliedFile['verdict'] {
  if (after === undefined) return 'rejected';
  return change.after === after ? 'applied' : 'edited';
}

/** Written, journaled nowhere: what the disk shows now. */
async function foundFile(change: Change, look: Look): Promise<AppliedFile> {
  const facts = change.after === null ? undefined : await look.stat(change.path);
  const mode = facts?.ok ? facts.value.mode : undefined;
  return {
    ...shapeOf(change),
    after: change.after,
    verdict: 'applied',
    ...(mode === undefined
      ? {}
      : {
          afterMode: mode,
          ...(change.before === null || change.executable !== undefined ? {} : { beforeMode: mode }),
        }),
  };
}

function shapeOf(change: Change): Omit<AppliedFile, 'after' | 'verdict'> {
  return {
    path: change.path,
    oldPath: change.oldPath,
    status: change.status,
    before: change.before,
    additions: change.additions,
    deletions: change.deletions,
  };
}
