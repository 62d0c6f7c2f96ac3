import path from 'node:path';
import type { AppliedFile, ContentId } from '../../../shared/model/change.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type FileWrite, type StaleFile, staleFailure, type WriteContext, type WriteFact } from './fileWrite.ts';
import { hashFileAt } from './hashFileAt.ts';
import { isInside } from './pathRules.ts';
import type { ResolvedPath, Sandbox } from './sandbox.ts';
import { writeTogether } from './writeTogether.ts';

export interface UndoOutcome {
  readonly files: readonly AppliedFile[];
  /** Left alone, because somebody changed them since. Only with `skipStale`. */
  readonly skipped: readonly StaleFile[];
}

export interface UndoOptions {
  /** Leaves alone what somebody changed since, in place of failing. */
  readonly skipStale?: boolean;
  readonly fact?: WriteFact<readonly AppliedFile[]>;
}

export interface Undo {
  /**
   * Brings back what a change set replaced, all or none, only where the file still is what the agent wrote. Never git, never
   * through links. Errors: STALE (details.files) unless `skipStale`, then only when nothing is left to do; FILE_NOT_FOUND
   * when an earlier content is no longer kept; those of applying.
   */
  undoChangeSet(files: readonly AppliedFile[], options?: UndoOptions): Promise<Result<UndoOutcome>>;
  /** Takes an undo back, under the same conditions. */
  redoChangeSet(files: readonly AppliedFile[], options?: UndoOptions): Promise<Result<UndoOutcome>>;
}

/** What one name on the disk is and what it is to be again. */
interface Turn {
  readonly name: string;
  readonly from: ContentId | null;
  readonly to: ContentId | null;
  readonly mode?: number;
  /** Folders that were made for it. */
  readonly folders?: readonly string[];
}

export function createUndo(sandbox: Sandbox, context: WriteContext): Undo {
  const turnBack = async (
    files: readonly AppliedFile[],
    turnsOf: (file: AppliedFile) => readonly Turn[],
    { skipStale = false, fact }: UndoOptions,
  ): Promise<Result<UndoOutcome>> => {
    const wanted = files.filter((file) => file.verdict !== 'rejected');
    const merged = mergeTurns(wanted.flatMap(turnsOf));
    const stale: StaleFile[] = [];
    const places = new Map<string, ResolvedPath>();
    for (const turn of merged.values()) {
      const place = await placeOf(sandbox, turn);
      if (typeof place === 'string') stale.push({ path: turn.name, why: place });
      else places.set(turn.name, place);
    }
    if (stale.length > 0 && !skipStale) return staleFailure(stale);
    const isStale = (file: AppliedFile) => turnsOf(file).some(({ name }) => stale.some((one) => one.path === name));
    const chosen = wanted.filter((file) => !isStale(file));
    if (chosen.length === 0 && stale.length > 0) return staleFailure(stale);
    const writes: FileWrite[] = [];
    for (const turn of mergeTurns(chosen.flatMap(turnsOf)).values()) {
      const place = places.get(turn.name);
      const content = turn.to === null ? ok(null) : await context.contents.get(turn.to);
      if (!content.ok) return content;
      if (!place) return fail('INTERNAL', `${turn.name} has no place`);
      writes.push({
        path: turn.name,
        real: place.real,
        before: turn.from,
        after: content.value,
        mode: turn.mode,
        ...(turn.folders === undefined ? {} : { emptied: emptiedBy(turn.folders, place, sandbox) }),
      });
    }
    const written = await writeTogether(context, writes, fact && { of: () => fact.of(chosen), emit: fact.emit });
    return written.ok ? ok({ files: chosen, skipped: stale }) : written;
  };
  return {
    undoChangeSet: (files, options = {}) => turnBack(files, backwards, options),
    redoChangeSet: (files, options = {}) => turnBack(files, forwards, options),
  };
}

/** Innermost first. What a journal names is not trusted to lie inside. */
function emptiedBy(folders: readonly string[], place: ResolvedPath, sandbox: Sandbox): readonly string[] {
  const real = folders.map((folder) => path.join(place.root, folder)).toReversed();
  return real.filter((folder) => folder !== place.root && isInside(place.root, folder, sandbox.platform));
}

function backwards(file: AppliedFile): readonly Turn[] {
  const folders = file.madeFolders === undefined ? {} : { folders: file.madeFolders };
  const mode = file.beforeMode === undefined ? {} : { mode: file.beforeMode };
  if (file.oldPath === undefined) return [{ name: file.path, from: file.after, to: file.before, ...mode, ...folders }];
  return [
    { name: file.path, from: file.after, to: null, ...folders },
    { name: file.oldPath, from: null, to: file.before, ...mode },
  ];
}

function forwards(file: AppliedFile): readonly Turn[] {
  const mode = file.afterMode === undefined ? {} : { mode: file.afterMode };
  if (file.oldPath === undefined) return [{ name: file.path, from: file.before, to: file.after, ...mode }];
  return [
    { name: file.oldPath, from: file.before, to: null },
    { name: file.path, from: null, to: file.after, ...mode },
  ];
}

/** Renames that swap names touch each name twice: what it is comes from the one, what it becomes from the other. */
function mergeTurns(turns: readonly Turn[]): ReadonlyMap<string, Turn> {
  const merged = new Map<string, Turn>();
  for (const turn of turns) {
    const other = merged.get(turn.name);
    const mode = turn.mode ?? other?.mode;
    const folders = turn.folders ?? other?.folders;
    merged.set(turn.name, {
      name: turn.name,
      from: other?.from ?? turn.from,
      to: other?.to ?? turn.to,
      mode,
      folders,
    });
  }
  return merged;
}

/** The place, or why the file is not to be touched. */
async function placeOf(sandbox: Sandbox, turn: Turn): Promise<ResolvedPath | string> {
  const found = await sandbox.resolve(turn.name);
  if (!found.ok) return 'its path leads out of the project';
  const { relative, realRelative, isLink, kind, real } = found.value;
  // Applied files carry their real names: a link on the way came afterwards (P6).
  if (isLink || relative !== realRelative) return 'a link lies on its path';
  if (kind !== 'file' && kind !== 'missing') return 'it is no regular file';
  const now = kind === 'missing' ? null : await hashFileAt(real);
  if (now === turn.from) return found.value;
  if (turn.from === null) return 'it exists again';
  return now === null ? 'it no longer exists' : 'its content changed since';
}
