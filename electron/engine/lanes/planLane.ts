import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LanePlan, laneNameSchema } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { commitOf, currentBranch } from '../git/currentBranch.ts';
import type { Repository } from '../git/repository.ts';
import { readStatus } from '../tools/git/gitStatus.ts';
import { branchOf, type LaneDeps, type OpenedRepository, openRepositoryOf } from './lanePlaces.ts';

const shownFiles = 100;

export interface PlannedLane extends OpenedRepository {
  readonly plan: LanePlan;
  /** The commit that it begins at. */
  readonly start: string;
  /** Every file that stands in no commit, and the old name of one that was moved. */
  readonly changed: readonly { readonly path: string; readonly oldPath?: string | undefined }[];
}

/**
 * What a lane of a project would be. Errors: VALIDATION_ERROR (the name), UNAVAILABLE (a lane itself, no commit yet),
 * BRANCH_ALREADY_EXISTS, UNTRUSTED, NOT_A_GIT_REPOSITORY and those of opening the repository.
 */
export async function planLane(deps: LaneDeps, home: string, wanted?: string): Promise<Result<PlannedLane>> {
  if (deps.records.ofFolder(home))
    return fail('UNAVAILABLE', 'This is a lane itself. Make the new lane in the project that it belongs to.');
  if (wanted !== undefined && !laneNameSchema.safeParse(wanted).success)
    return fail(
      'VALIDATION_ERROR',
      `"${wanted}" is not the name of a lane: take up to 40 lower-case letters, digits and hyphens.`,
    );
  const opened = await openRepositoryOf(deps, home);
  if (!opened.ok) return opened;
  const { repository, project } = opened.value;
  if (repository.isForeign)
    return fail('UNTRUSTED', 'The repository lies around this folder, which is not trusted. Trust the folder first.');
  const start = await commitOf(repository, 'HEAD');
  if (!start.ok) return start;
  if (start.value === null)
    return fail('UNAVAILABLE', 'The repository has no commit yet. Commit once; a lane begins at a commit.');
  const name = await freeName(deps, home, repository, wanted);
  if (!name.ok) return name;
  const branch = await currentBranch(repository);
  if (!branch.ok) return branch;
  const status = await readStatus(repository);
  if (!status.ok) return status;
  const changed = status.value.files.filter(({ path }) => !path.startsWith('../'));
  const conflicted = status.value.files.find((file) => file.status === 'conflicted');
  const notes = await notesOf(repository, branch.value === null);
  return ok({
    ...opened.value,
    start: start.value,
    changed,
    plan: {
      name: name.value,
      branch: branchOf(name.value),
      from: branch.value ?? start.value.slice(0, 12),
      uncommitted: changed.slice(0, shownFiles).map(({ path }) => path),
      uncommittedCount: changed.length,
      notes: conflicted ? [...notes, `${conflicted.path} has conflicts that are not resolved.`] : notes,
      setup: project.settings().lanes.setup || proposeSetup(home),
    },
  });
}

async function freeName(
  { records }: LaneDeps,
  home: string,
  repository: Repository,
  wanted: string | undefined,
): Promise<Result<string>> {
  // A branch of this very name leaves no room for others below it.
  const above = await commitOf(repository, 'refs/heads/vise');
  if (!above.ok) return above;
  if (above.value !== null)
    return fail(
      'BRANCH_ALREADY_EXISTS',
      'A branch named "vise" stands in the way of branches like vise/NAME. Rename it.',
    );
  const isTaken = async (name: string): Promise<Result<boolean>> => {
    const found = await commitOf(repository, `refs/heads/${branchOf(name)}`);
    if (!found.ok) return found;
    return ok(found.value !== null || records.find(home, name) !== undefined || existsSync(records.treeOf(home, name)));
  };
  if (wanted !== undefined) {
    const taken = await isTaken(wanted);
    if (!taken.ok) return taken;
    if (!taken.value) return ok(wanted);
    const known = records.find(home, wanted);
    return fail(
      'BRANCH_ALREADY_EXISTS',
      known
        ? `There is a lane "${wanted}" already${known.state === 'closed' ? ', closed, with commits that were not let go' : ''}. Take another name.`
        : `There is a branch ${branchOf(wanted)} already. Take another name, or delete the branch.`,
    );
  }
  for (let number = 1; ; number += 1) {
    const taken = await isTaken(`lane-${number}`);
    if (!taken.ok) return taken;
    if (!taken.value) return ok(`lane-${number}`);
  }
}

async function notesOf(repository: Repository, isDetached: boolean): Promise<readonly string[]> {
  const notes: string[] = [];
  if (isDetached) notes.push('HEAD is detached: the lane begins at its commit, and merging it needs a branch here.');
  const modules = await readFile(join(repository.base, '.gitmodules'), 'utf8').catch(() => '');
  const paths = [...modules.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
  if (paths.length > 0)
    notes.push(`Submodules are empty in the lane: ${paths.join(', ')}. "git submodule update --init" fills them.`);
  const shallow = await repository.read(['rev-parse', '--is-shallow-repository']);
  if (shallow.ok && shallow.value.stdout.trim() === 'true')
    notes.push('The history is shallow: the lane has as little of it as the project.');
  return notes;
}

/** Lock files, and what installs exactly what they name. */
const installs: readonly (readonly [file: string, command: string])[] = [
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install --immutable'],
  ['bun.lock', 'bun install --frozen-lockfile'],
  ['uv.lock', 'uv sync --frozen'],
  ['poetry.lock', 'poetry install'],
  ['Gemfile.lock', 'bundle install'],
  ['composer.lock', 'composer install'],
];

function proposeSetup(home: string): string {
  return installs.find(([file]) => existsSync(join(home, file)))?.[1] ?? '';
}
