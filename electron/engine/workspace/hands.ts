import path from 'node:path';
import type { AppliedFile, Change, ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { proposedHunks } from './composeVerdict.ts';
import type { Contents } from './contents.ts';
import { countLines } from './diff.ts';
import { type Disk, realDisk } from './disk.ts';
import {
  type FileWrite,
  type StaleFile,
  staleFailure,
  type WriteContext,
  type WriteFact,
  type Written,
} from './fileWrite.ts';
import { foldName } from './pathRules.ts';
import { type FileOutcome, isText, type ProposedChange } from './proposedChange.ts';
import { protectedPath } from './protectedPath.ts';
import type { ResolvedPath, Sandbox } from './sandbox.ts';
import { encodeChanged, encodeText } from './textFile.ts';
import { createUndo, type Undo } from './undo.ts';
import { writeTogether } from './writeTogether.ts';

/** The only writer of project files. */
export interface FileHands extends Undo {
  /**
   * The change as people and the journal see it, its contents stored; and the proposal with the places it was shown at, to be
   * given to `composeVerdict` and `applyChanges`. Errors: those of `resolve`, NOT_A_FILE, DISK_FULL, LIMIT_EXCEEDED,
   * VALIDATION_ERROR (a character the file's encoding lacks).
   */
  describeChange(
    proposed: ProposedChange,
  ): Promise<Result<{ readonly change: Change; readonly proposed: ProposedChange }>>;
  /**
   * All or none, each compared with its base. `files` are the outcomes of `composeVerdict`. Errors: STALE (details.files),
   * PATH_TRAVERSAL_DETECTED, NOT_A_FILE, DISK_FULL, FILE_WRITE_ERROR, LIMIT_EXCEEDED, VALIDATION_ERROR.
   */
  applyChanges(
    changes: readonly ProposedChange[],
    files?: readonly FileOutcome[],
    fact?: WriteFact<readonly AppliedFile[]>,
  ): Promise<Result<readonly AppliedFile[]>>;
}

export function createFileHands(options: {
  readonly sandbox: Sandbox;
  readonly contents: Contents;
  /** Where the records of running writes lie: one folder for all sessions, so that whoever opens the project finds them. */
  readonly records: string;
  /** Whose calls write. */
  readonly session: string;
  readonly disk?: Disk;
}): FileHands {
  const { sandbox, contents, records, session, disk = realDisk } = options;
  const context: WriteContext = { disk, contents, records, session };

  const describeChange: FileHands['describeChange'] = async (proposed) => {
    const place = await placeFor(sandbox, proposed.path, proposed.status);
    if (!place.ok) return place;
    const oldPlace = proposed.oldPath === undefined ? undefined : await placeFor(sandbox, proposed.oldPath, 'deleted');
    if (oldPlace && !oldPlace.ok) return oldPlace;
    const after = bytesAfter(proposed);
    if (!after.ok) return after;
    const before = bytesBefore(proposed);
    if (!before.ok) return before;
    const kept = before.value ? await contents.put(before.value) : undefined;
    if (kept && !kept.ok) return kept;
    const stored = after.value ? await contents.put(after.value) : undefined;
    if (stored && !stored.ok) return stored;
    const hunks = proposedHunks(proposed);
    const reason = protectedReason(place.value) ?? (oldPlace ? protectedReason(oldPlace.value) : undefined);
    const change: Change = {
      path: place.value.relative,
      ...(oldPlace ? { oldPath: oldPlace.value.relative } : {}),
      status: proposed.status,
      before: proposed.before?.hash ?? null,
      after: stored ? stored.value : null,
      ...(isBinary(proposed) ? { binary: true } : {}),
      executable: proposed.executable,
      ...countLines(hunks),
      hunks,
      protectedBy: reason,
    };
    const shown = { ...proposed, path: place.value.relative, real: place.value.real };
    return ok({
      change,
      proposed: oldPlace ? { ...shown, oldPath: oldPlace.value.relative, oldReal: oldPlace.value.real } : shown,
    });
  };

  const applyChanges: FileHands['applyChanges'] = async (changes, files = [], fact) => {
    const planned = await planWrites(sandbox, changes);
    if (!planned.ok) return planned;
    const verdicts = new Map(files.map((file) => [file.path, file.verdict]));
    const appliedBy = (written: readonly Written[]): readonly AppliedFile[] => {
      const byPath = new Map(written.map((one) => [one.path, one]));
      return planned.value.files.map(({ change, place, oldPlace }) => {
        const one = byPath.get(place.realRelative);
        const old = oldPlace ? byPath.get(oldPlace.realRelative) : undefined;
        const beforeMode = old?.beforeMode ?? one?.beforeMode;
        return {
          path: place.realRelative,
          ...(oldPlace ? { oldPath: oldPlace.realRelative } : {}),
          status: change.status,
          before: change.before?.hash ?? null,
          after: one?.after ?? null,
          ...countLines(proposedHunks(change)),
          verdict: verdicts.get(change.path) ?? 'applied',
          beforeMode,
          afterMode: one?.afterMode,
          ...(one?.folders === undefined
            ? {}
            : {
                madeFolders: one.folders.map((folder) => path.relative(place.root, folder).replaceAll(path.sep, '/')),
              }),
        };
      });
    };
    const written = await writeTogether(
      context,
      planned.value.writes,
      fact && { of: (all) => fact.of(appliedBy(all)), emit: fact.emit },
    );
    return written.ok ? ok(appliedBy(written.value)) : written;
  };

  return {
    describeChange,
    applyChanges,
    ...createUndo(sandbox, context),
  };
}

function protectedReason(place: ResolvedPath): string | undefined {
  return protectedPath(place.relative) ?? protectedPath(place.realRelative);
}

function isBinary({ before, after }: ProposedChange): boolean {
  return (before !== null && !isText(before)) || (after !== null && 'bytes' in after);
}

/** What the file is to hold, in its own encoding; null when it is to go. Errors: VALIDATION_ERROR (a character the encoding lacks). */
export function bytesAfter({ after }: ProposedChange): Result<Uint8Array | null> {
  if (after === null) return ok(null);
  return 'bytes' in after ? ok(after.bytes) : encodeChanged(after.text, after.like);
}

function bytesBefore({ before }: ProposedChange): Result<Uint8Array | null> {
  if (before === null) return ok(null);
  return isText(before) ? encodeText(before.text, before) : ok(before.bytes);
}

/** Where a change of this kind may happen at all: an ordinary file or none, and no removal through a link. */
async function placeFor(sandbox: Sandbox, given: string, status: Change['status']): Promise<Result<ResolvedPath>> {
  const place = await sandbox.resolve(given);
  if (!place.ok) return place;
  const { kind, isLink, relative } = place.value;
  if (isLink && (kind === 'missing' || status === 'deleted' || status === 'renamed')) {
    return fail(
      'NOT_A_FILE',
      `${relative} is a symbolic link; change the file it points at, or remove the link yourself`,
    );
  }
  if (kind !== 'file' && kind !== 'missing') return fail('NOT_A_FILE', `${relative} is not a regular file`);
  return place;
}

interface PlannedFile {
  readonly change: ProposedChange;
  readonly place: ResolvedPath;
  readonly oldPlace: ResolvedPath | undefined;
}

interface DraftWrite {
  readonly place: ResolvedPath;
  before: ContentId | null;
  after: Uint8Array | null;
  isWritten: boolean;
  executable?: boolean;
  rightsOf?: string;
}

/** One write a real file: a rename is the removal of one name and the making of another, and two renames may swap names. */
async function planWrites(
  sandbox: Sandbox,
  changes: readonly ProposedChange[],
): Promise<Result<{ readonly writes: readonly FileWrite[]; readonly files: readonly PlannedFile[] }>> {
  const drafts = new Map<string, DraftWrite>();
  const files: PlannedFile[] = [];
  const moved: StaleFile[] = [];
  for (const change of changes) {
    const place = await placeFor(sandbox, change.path, change.status);
    if (!place.ok) return gone(place, change.real, change.path);
    const oldPlace = change.oldPath === undefined ? undefined : await placeFor(sandbox, change.oldPath, 'deleted');
    if (oldPlace && !oldPlace.ok) return gone(oldPlace, change.oldReal, change.oldPath ?? '');
    const after = bytesAfter(change);
    if (!after.ok) return after;
    const source = oldPlace?.value ?? place.value;
    if (isElsewhere(change, place.value, oldPlace?.value))
      moved.push({ path: change.path, why: 'its path leads elsewhere' });
    const key = foldName(place.value.real, sandbox.platform);
    const draft = drafts.get(key);
    if (draft?.isWritten)
      return fail('VALIDATION_ERROR', `${change.path} is changed twice in one set (its name may differ only in case)`);
    const writes = change.after !== null || oldPlace === undefined;
    if (writes) {
      drafts.set(key, {
        place: place.value,
        before: draft?.before ?? (oldPlace ? null : (change.before?.hash ?? null)),
        after: after.value,
        isWritten: true,
        executable: change.executable,
        ...(oldPlace ? { rightsOf: source.real } : {}),
      });
    }
    if (oldPlace) {
      const oldKey = foldName(oldPlace.value.real, sandbox.platform);
      const old = drafts.get(oldKey);
      if (old) old.before ??= change.before?.hash ?? null;
      else
        drafts.set(oldKey, {
          place: oldPlace.value,
          before: change.before?.hash ?? null,
          after: null,
          isWritten: false,
        });
    }
    files.push({ change, place: place.value, oldPlace: oldPlace?.value });
  }
  if (moved.length > 0) return staleFailure(moved);
  const writes = [...drafts.values()].map(({ place, before, after, executable, rightsOf }) => ({
    path: place.realRelative,
    real: place.real,
    before,
    after,
    executable,
    rightsOf,
  }));
  return ok({ writes, files });
}

/** What was fine when it was shown and is refused now has changed since (P9). */
function gone(
  refused: { readonly ok: false; readonly error: { readonly message: string } } & Result<never>,
  shownAt: string | undefined,
  name: string,
): Result<never> {
  return shownAt === undefined ? refused : staleFailure([{ path: name, why: refused.error.message }]);
}

function isElsewhere(change: ProposedChange, place: ResolvedPath, oldPlace: ResolvedPath | undefined): boolean {
  const readAt =
    change.before !== null && 'real' in change.before && typeof change.before.real === 'string'
      ? change.before.real
      : undefined;
  const source = oldPlace ?? place;
  return (
    (change.real !== undefined && change.real !== place.real) ||
    (oldPlace !== undefined && change.oldReal !== undefined && change.oldReal !== oldPlace.real) ||
    (readAt !== undefined && readAt !== source.real)
  );
}
