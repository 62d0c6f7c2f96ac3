import type { ParsedInputOf } from '../../../shared/contract/api.ts';
import type { AppliedFile, ContentId } from '../../../shared/model/change.ts';
import type { SessionEvent } from '../../../shared/model/event.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { sinceStart, writtenFilesOf } from '../../../shared/model/sinceStart.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { DiffRun } from '../../../shared/text/diffRuns.ts';
import { lineEndOf, splitLines } from '../../../shared/text/lines.ts';
import { moveEdits } from '../../../shared/text/moveEdits.ts';
import { shortId } from '../base/ids.ts';
import type { Contents } from '../workspace/contents.ts';
import { staleFailure } from '../workspace/fileWrite.ts';
import type { FileHands } from '../workspace/hands.ts';
import type { Look } from '../workspace/look.ts';
import { decodeText, dominantEol } from '../workspace/textFile.ts';

export interface TakeBackDeps {
  readonly session: { readonly state: SessionState; emit(event: SessionEvent): void };
  readonly contents: Contents;
  readonly hands: FileHands;
  readonly look: Look;
}

type Asked = Omit<ParsedInputOf<'change.takeBack'>, 'session'>;

/**
 * Takes back what was written of a file, hunk by hunk or as a whole, by a change set of its own that can be undone. A file that
 * has moved on keeps what came since: a hunk goes where its lines stand now. Errors: VALIDATION_ERROR (the session did not write
 * this), STALE (its lines were changed since), FILE_NOT_FOUND, those of `applyChanges` and `undoChangeSet`.
 */
export async function takeBack(
  { session, contents, hands, look }: TakeBackDeps,
  { path, before, after, hunks }: Asked,
): Promise<Result<{ readonly changeSet: string }>> {
  const { changeSets } = session.state;
  const file = [...sinceStart(changeSets), ...writtenFilesOf(changeSets)].find(
    (one) => one.path === path && one.before === before && one.after === after,
  );
  if (!file) return fail('VALIDATION_ERROR', `This session has not written ${path} so, or it was taken back already.`);
  const changeSet = shortId('change');
  const turn = session.state.turn?.id ?? changeSets.at(-1)?.turn ?? '';
  const fact = {
    of: (files: readonly AppliedFile[]) =>
      ({ type: 'change.applied', changeSet, call: `${changeSet}-back`, turn, files, isTakenBack: true }) as const,
    emit: session.emit,
  };
  if (hunks === undefined) {
    const whole = { of: (files: readonly AppliedFile[]) => fact.of(files.map(reversed)), emit: session.emit };
    const undone = await hands.undoChangeSet([file], { fact: whole });
    return undone.ok ? ok({ changeSet }) : undone;
  }
  const was = await textOf(contents, before);
  const written = await textOf(contents, after);
  const now = await look.readText(path);
  for (const one of [was, written, now]) if (!one.ok) return one;
  if (!was.ok || !written.ok || !now.ok) return fail('INTERNAL', 'a text is missing');
  const edits = hunks.map(
    ({ oldStart, oldEnd, nowStart, nowEnd }): DiffRun => ({
      aStart: nowStart,
      aEnd: nowEnd,
      bStart: oldStart,
      bEnd: oldEnd,
    }),
  );
  const { text, lost } = moveEdits(written.value, withLastEnd(was.value, written.value, edits), now.value.text, edits);
  if (lost.length > 0) return staleFailure([{ path, why: 'these lines were changed since' }]);
  const applied = await hands.applyChanges(
    [{ path, status: 'modified', before: now.value, after: { text, like: now.value } }],
    [],
    fact,
  );
  return applied.ok ? ok({ changeSet }) : applied;
}

async function textOf(contents: Contents, id: ContentId | null): Promise<Result<string>> {
  if (id === null) return fail('VALIDATION_ERROR', 'A file that was made or removed is taken back as a whole.');
  const bytes = await contents.get(id);
  const decoded = bytes.ok ? decodeText(bytes.value) : bytes;
  return decoded.ok ? ok(decoded.value.text) : decoded;
}

/** A last line without an end may come back before other lines; the diff that was shown knows of no ends. */
function withLastEnd(was: string, written: string, edits: readonly DiffRun[]): string {
  const lines = splitLines(was);
  const isOpen = lineEndOf(lines.at(-1) ?? '\n') === '';
  const count = splitLines(written).length;
  const goesOn = edits.some(({ aEnd, bStart, bEnd }) => bEnd > bStart && bEnd === lines.length && aEnd < count);
  return isOpen && goesOn ? was + dominantEol(was) : was;
}

/** What an undo of this file writes. */
function reversed({ path, oldPath, status, ...file }: AppliedFile): AppliedFile {
  const { before, after, beforeMode, afterMode, additions, deletions } = file;
  const statuses = { added: 'deleted', deleted: 'added', modified: 'modified', renamed: 'renamed' } as const;
  return {
    path: oldPath ?? path,
    oldPath: oldPath === undefined ? undefined : path,
    status: statuses[status],
    before: after,
    after: before,
    additions: deletions,
    deletions: additions,
    verdict: 'applied',
    beforeMode: afterMode,
    afterMode: beforeMode,
  };
}
