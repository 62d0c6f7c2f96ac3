import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Status } from '../../git/parseStatus.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { refuseMarkers } from './conflictMarkers.ts';
import { readStatus } from './gitStatus.ts';
import { defineGitTool, isBelow, namesOf, placesOf, repoPath } from './gitTool.ts';

const input = z.object({ files: z.array(z.string()).optional(), repoPath });
const listed = (files: readonly string[] | undefined): string => files?.join(', ') || 'everything';

export function createGitStage(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_stage',
    permission: 'moderate',
    errors: ['FILE_NOT_FOUND', 'CONFLICT', 'UNTRUSTED'],
    about: 'Stage files, deleted ones too; without files everything that has changed.',
    input: () => input,
    output: () => z.object({ staged: z.array(z.string()) }),
    text: ({ staged }) => (staged.length === 0 ? 'nothing staged' : ['staged', ...staged].join('\n')),
    effects: () => ['writes'],
    summary: ({ files }) => `Stage ${listed(files)}`,
    async check({ files }, repository) {
      const places = await existingPlaces(repository, files);
      if (!places.ok) return places;
      const status = await readStatus(repository);
      if (!status.ok) return status;
      // Each file by its name, so that a rule for one of them is not passed by its folder.
      const changed = filesBelow(status.value.files, places.value);
      const marked = await refuseMarkers(repository, changed, []);
      if (marked) return marked;
      return ok({ value: places.value, places: [...new Set([...places.value, ...changed])] });
    },
    async run(_, repository, places) {
      const added = await stage(repository, places);
      if (!added.ok) return added;
      const staged = await stagedNames(repository, places);
      return staged.ok ? ok({ staged: staged.value }) : staged;
    },
  });
}

export function createGitUnstage(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_unstage',
    permission: 'moderate',
    errors: ['UNTRUSTED'],
    about: 'Take files out of the index again, without files all of them; the files themselves stay as they are.',
    input: () => input,
    output: () => z.object({ unstaged: z.array(z.string()) }),
    text: ({ unstaged }) => (unstaged.length === 0 ? 'nothing unstaged' : ['unstaged', ...unstaged].join('\n')),
    effects: () => ['writes'],
    summary: ({ files }) => `Unstage ${listed(files)}`,
    async check({ files }, repository) {
      const places = await placesOf(repository, files);
      return places.ok ? ok({ value: places.value, places: places.value }) : places;
    },
    async run(_, repository, places) {
      const before = await stagedNames(repository, places);
      if (!before.ok) return before;
      const reset = await repository.write(['reset', '--quiet', '--', ...places]);
      if (!reset.ok) return reset;
      const after = await stagedNames(repository, places);
      return after.ok ? ok({ unstaged: before.value.filter((name) => !after.value.includes(name)) }) : after;
    },
  });
}

/** The files that staging these places would stage. */
export function filesBelow(files: Status['files'], places: readonly string[]): readonly string[] {
  return files.filter((file) => file.worktree !== '.' && isBelow(file.path, places)).map(({ path }) => path);
}

/** Adds, updates and removes in the index what these paths are now. */
export async function stage(repository: Repository, places: readonly string[]): Promise<Result<void>> {
  // Git adds the rest when one of the paths is ignored; so it is asked first.
  const tried = await repository.write(['add', '--all', '--dry-run', '--', ...places], { maxBytes: 0 });
  if (!tried.ok) return tried;
  const added = await repository.write(['add', '--all', '--', ...places]);
  return added.ok ? ok(undefined) : added;
}

/** Each path must be in the working tree or in the index. Errors: FILE_NOT_FOUND and those of `placesOf`. */
export async function existingPlaces(
  repository: Repository,
  files: readonly string[] | undefined,
): Promise<Result<readonly string[]>> {
  const places = await placesOf(repository, files);
  if (!places.ok || files === undefined || files.length === 0) return places;
  for (const place of places.value) {
    const known = await repository.read(['ls-files', '--cached', '--others', '-z', '--', place], { maxBytes: 4096 });
    if (!known.ok) return known;
    if (known.value.stdout === '')
      return fail('FILE_NOT_FOUND', `${place} does not exist and is not tracked, so nothing was staged`);
  }
  return places;
}

/** What differs between HEAD and the index; before the first commit, all of the index. */
export async function stagedNames(
  repository: Repository,
  places: readonly string[],
): Promise<Result<readonly string[]>> {
  const args = [
    'diff',
    '--cached',
    '--name-only',
    '--no-renames',
    '--relative',
    '--no-ext-diff',
    '-z',
    '--',
    ...places,
  ];
  const read = await repository.read(args);
  return read.ok ? ok(namesOf(read.value.stdout)) : read;
}
