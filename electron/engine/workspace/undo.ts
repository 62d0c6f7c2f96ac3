import path from 'node:path';
import type { AppliedChangeSet, AppliedFile, ContentId } from '../../../shared/model/change.ts';
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

/** Files of one change set, and what they are to be again. */
export interface UndoStep {
  readonly changeSet: string;
  readonly files: readonly AppliedFile[];
  readonly to: AppliedChangeSet['state'];
}

export interface RewindOutcome {
  readonly steps: readonly UndoStep[];
  /** The names that change, and what they become. */
  readonly names: readonly { readonly path: string; readonly now: 'changed' | 'removed' | 'restored' }[];
  readonly left: readonly StaleFile[];
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
  /**
   * Several steps as one write, the first one first. A file that anybody else has changed since, also between two steps, or
   * whose earlier content is no longer kept, is left as it is and named. `preview`: nothing is written. The fact
   * is told also where no file moves. Errors: those of applying.
   */
  rewind(
    steps: readonly UndoStep[],
    options?: { readonly preview?: boolean; readonly fact?: WriteFact<RewindOutcome> },
  ): Promise<Result<RewindOutcome>>;
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

interface Planned {
  readonly steps: readonly UndoStep[];
  readonly turns: readonly Turn[];
  readonly places: ReadonlyMap<string, ResolvedPath>;
  readonly stale: readonly StaleFile[];
}

export function createUndo(sandbox: Sandbox, context: WriteContext): Undo {
  /** What of the steps can be done: a name that is not as they left it takes with it the files that touch it. */
  const plan = async (steps: readonly UndoStep[], given: readonly StaleFile[] = []): Promise<Planned> => {
    const places = new Map<string, ResolvedPath>();
    const stale = new Map(given.map((one) => [one.path, one]));
    const leave = (path: string, why: string): void => void (stale.has(path) || stale.set(path, { path, why }));
    const { turns, broken } = composeSteps(steps);
    for (const turn of turns) {
      const place = await placeOf(sandbox, turn);
      if (typeof place === 'string') leave(turn.name, place);
      else if (broken.has(turn.name)) leave(turn.name, 'somebody else changed it between two changes of this session');
      else places.set(turn.name, place);
    }
    let chosen = steps;
    for (let size = -1; size !== stale.size; ) {
      size = stale.size;
      chosen = chosen.map((step) => {
        const isStale = (file: AppliedFile) => turnsOf(step, file).some(({ name }) => stale.has(name));
        for (const file of step.files.filter(isStale))
          for (const { name } of turnsOf(step, file))
            leave(name, `it goes together with ${file.path}, which is left as it is`);
        return { ...step, files: step.files.filter((file) => !isStale(file)) };
      });
    }
    const left = chosen.filter(({ files }) => files.length > 0);
    return { steps: left, turns: composeSteps(left).turns, places, stale: [...stale.values()] };
  };

  const writesOf = async (turns: readonly Turn[], places: Planned['places']): Promise<Result<readonly FileWrite[]>> => {
    const writes: FileWrite[] = [];
    for (const { name, from, to, mode, folders } of turns) {
      const place = places.get(name);
      const content = to === null ? ok(null) : await context.contents.get(to);
      if (!content.ok) return content;
      if (!place) return fail('INTERNAL', `${name} has no place`);
      const emptied = folders && { emptied: emptiedBy(folders, place, sandbox) };
      writes.push({ path: name, real: place.real, before: from, after: content.value, mode, ...emptied });
    }
    return ok(writes);
  };

  const turnBack = async (
    files: readonly AppliedFile[],
    to: UndoStep['to'],
    { skipStale = false, fact }: UndoOptions,
  ): Promise<Result<UndoOutcome>> => {
    const { steps, turns, places, stale } = await plan([{ changeSet: '', files: writtenOf(files), to }]);
    const chosen = steps[0]?.files ?? [];
    if (stale.length > 0 && (!skipStale || chosen.length === 0)) return staleFailure(stale);
    const writes = await writesOf(turns, places);
    if (!writes.ok) return writes;
    const written = await writeTogether(context, writes.value, fact && { of: () => fact.of(chosen), emit: fact.emit });
    return written.ok ? ok({ files: chosen, skipped: stale }) : written;
  };

  const rewind: Undo['rewind'] = async (given, { preview = false, fact } = {}) => {
    const wanted = given.map((step) => ({ ...step, files: writtenOf(step.files) }));
    let planned = await plan(wanted);
    const lost: StaleFile[] = [];
    for (const { name, from, to } of planned.turns)
      if (to !== null && to !== from && !(await context.contents.get(to)).ok)
        lost.push({ path: name, why: 'its earlier content is no longer kept' });
    if (lost.length > 0) planned = await plan(wanted, lost);
    const { steps, turns, places, stale: left } = planned;
    const moving = turns.filter(({ from, to, mode }) => from !== to || (to !== null && mode !== undefined));
    const names = moving
      .filter(({ from, to }) => from !== to)
      .map(({ name: path, from, to }) => ({
        path,
        now: to === null ? ('removed' as const) : from === null ? ('restored' as const) : ('changed' as const),
      }));
    const outcome = { steps, names, left };
    if (preview) return ok(outcome);
    const writes = await writesOf(moving, places);
    if (!writes.ok) return writes;
    const told = fact && { of: () => fact.of(outcome), emit: fact.emit };
    if (writes.value.length > 0) {
      const written = await writeTogether(context, writes.value, told);
      return written.ok ? ok(outcome) : written;
    }
    const event = told?.of();
    if (event) told?.emit(event);
    return ok(outcome);
  };

  return {
    undoChangeSet: (files, options = {}) => turnBack(files, 'undone', options),
    redoChangeSet: (files, options = {}) => turnBack(files, 'applied', options),
    rewind,
  };
}

const writtenOf = (files: readonly AppliedFile[]) => files.filter(({ verdict }) => verdict !== 'rejected');
const turnsOf = ({ to }: UndoStep, file: AppliedFile) => (to === 'undone' ? backwards(file) : forwards(file));

/** The steps as one: a name goes from what the first of them finds to what the last one leaves. `broken`: names where a step does not begin with what the one before left. */
function composeSteps(steps: readonly UndoStep[]): {
  readonly turns: readonly Turn[];
  readonly broken: ReadonlySet<string>;
} {
  const all = new Map<string, Turn>();
  const broken = new Set<string>();
  for (const step of steps) {
    for (const turn of mergeTurns(step.files.flatMap((file) => turnsOf(step, file))).values()) {
      const before = all.get(turn.name);
      if (before && before.to !== turn.from) broken.add(turn.name);
      const folders =
        before?.folders || turn.folders ? [...(turn.folders ?? []), ...(before?.folders ?? [])] : undefined;
      const mode = turn.mode ?? before?.mode;
      all.set(turn.name, { ...turn, from: (before ?? turn).from, mode, folders });
    }
  }
  return { turns: [...all.values()], broken };
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
