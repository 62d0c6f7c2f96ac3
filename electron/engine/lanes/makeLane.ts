import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import type { LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { withLockSync } from '../base/fileLock.ts';
import { makeFolder } from '../base/makeFolder.ts';
import { systemFault } from '../base/systemFault.ts';
import { runStep } from './gitSteps.ts';
import { baseRef, type LaneDeps, onDisk, openRepositoryOf } from './lanePlaces.ts';
import { type PlannedLane, planLane } from './planLane.ts';

/** Uncommitted files above these are not carried over. */
const maxCarriedFiles = 5_000;
const maxCarriedBytes = 200 * 1024 * 1024;

const firstPort = 3100;
const portsEach = 10;

export interface LaneWish {
  readonly home: string;
  readonly name?: string | undefined;
  /** What stands in no commit comes too. */
  readonly carry?: boolean | undefined;
}

export interface MadeLane {
  readonly record: LaneRecord;
  /** What stands in no commit and was left behind. */
  readonly left: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Makes the branch and the working tree of a lane, whose record stands on the disk before either. It is left `making`: the
 * caller opens it once its session is there. Errors: those of `planLane`, of git, and LIMIT_EXCEEDED (too much to carry).
 */
export async function makeLane(deps: LaneDeps, wish: LaneWish, now: string): Promise<Result<MadeLane>> {
  const planned = await planLane(deps, wish.home, wish.name);
  if (!planned.ok) return planned;
  const { plan, start, repository, changed } = planned.value;
  const carries = wish.carry === true && changed.length > 0;
  if (carries) {
    const fits = await fitsToCarry(planned.value);
    if (!fits.ok) return fits;
  }
  const written = recordOf(deps, wish, planned.value, now);
  if (!written.ok) return written;
  const record = written.value;
  // The branch may be one that a program outside made meanwhile: git refuses it, and nothing of it is taken back.
  const added = await repository.write([
    ...['-c', `core.hooksPath=${devNull}`],
    ...['worktree', 'add', '--quiet', '-b', plan.branch, '--', record.tree, start],
  ]);
  if (!added.ok) {
    if (/already exists/.test(added.error.message)) deps.records.remove(record);
    return added;
  }
  if (!carries) return ok({ record, left: plan.uncommitted, notes: plan.notes });
  const base = await carry(deps, planned.value, record);
  if (!base.ok) return base;
  const based = { ...record, base: base.value };
  deps.records.write(based);
  return ok({ record: based, left: [], notes: plan.notes });
}

/** Under a lock, so that two processes that make lanes at once take two names and other ports. */
function recordOf(
  { records }: LaneDeps,
  { home }: LaneWish,
  { plan, start, repository }: PlannedLane,
  createdAt: string,
): Result<LaneRecord> {
  const { name, branch } = plan;
  const tree = records.treeOf(home, name);
  try {
    makeFolder(dirname(tree));
    return withLockSync(join(dirname(tree), '.lock'), () => {
      if (records.find(home, name)) return fail('CONFLICT', `There is a lane "${name}" already. Take another name.`);
      const taken = new Set(records.all().map(({ port }) => port));
      let port = firstPort;
      while (taken.has(port)) port += portsEach;
      const folder = repository.prefix === '' ? tree : onDisk(tree, repository.prefix.replace(/\/$/, ''));
      const whose = { home, name, branch, tree, folder };
      const record = { ...whose, state: 'making', start, base: start, session: null, createdAt, port } as const;
      records.write(record);
      return ok(record);
    });
  } catch (error) {
    const fault = systemFault('The lane cannot be kept', error);
    if (!fault) throw error;
    return { ok: false, error: fault };
  }
}

async function fitsToCarry({ repository, changed }: PlannedLane): Promise<Result<void>> {
  let bytes = 0;
  for (const { path } of changed) {
    const facts = await lstat(onDisk(repository.base, path)).catch(() => undefined);
    bytes += facts?.isFile() ? facts.size : 0;
  }
  return changed.length > maxCarriedFiles || bytes > maxCarriedBytes
    ? fail(
        'LIMIT_EXCEEDED',
        `${changed.length} uncommitted files (${Math.round(bytes / 1024 / 1024)} MB) are too much to carry over. Commit or ignore them, or begin without them.`,
      )
    : ok(undefined);
}

/** Copies what stands in no commit, and keeps it as the commit that changes of the lane are counted from. */
async function carry(
  deps: LaneDeps,
  { repository, changed }: PlannedLane,
  { folder, name, start }: LaneRecord,
): Promise<Result<string>> {
  // What goes goes first: a folder may stand where a file or a link was.
  for (const path of changed.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])))
    await rm(onDisk(folder, path), { recursive: true, force: true });
  for (const { path } of changed) {
    const from = onDisk(repository.base, path);
    const facts = await lstat(from).catch(() => undefined);
    // A repository of its own in the project, or a submodule: not this one's to copy.
    if (!facts || facts.isDirectory()) continue;
    await mkdir(dirname(onDisk(folder, path)), { recursive: true });
    await cp(from, onDisk(folder, path), { verbatimSymlinks: true, force: true });
  }
  const lane = await openRepositoryOf(deps, folder);
  if (!lane.ok) return lane;
  const git = lane.value.repository;
  const added = await runStep(git, ['add', '--all', '--', '.']);
  const tree = added.ok ? await runStep(git, ['write-tree']) : added;
  if (!tree.ok) return tree;
  const message = 'What was not committed when the lane was made';
  const who = ['-c', 'user.name=Vise', '-c', 'user.email=vise@localhost', '-c', 'commit.gpgSign=false'];
  const commit = await runStep(git, [...who, 'commit-tree', tree.value, '-p', start, '-m', message]);
  if (!commit.ok) return commit;
  const kept = await runStep(git, ['update-ref', baseRef(name), commit.value]);
  const unstaged = kept.ok ? await runStep(git, ['reset', '--quiet']) : kept;
  return unstaged.ok ? commit : unstaged;
}
