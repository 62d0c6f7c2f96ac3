import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { filePatch, partOfPatch } from '../../git/hunkPatch.ts';
import type { Status } from '../../git/parseStatus.ts';
import type { GitPort, Repository } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { refuseMarkers } from './conflictMarkers.ts';
import { readStatus } from './gitStatus.ts';
import { defineGitTool, isBelow, namesOf, placesOf, repoPath } from './gitTool.ts';

const input = () =>
  z
    .object({
      files: z.array(z.string()).optional(),
      repoPath: repoPath(),
      hunks: z.array(z.int().min(1)).min(1).max(10_000).optional(),
      of: z.string().max(64).optional(),
    })
    .refine(({ files, hunks }) => hunks === undefined || files?.length === 1, {
      message: 'hunks are of one file: name it alone in files',
      path: ['hunks'],
    });
type Input = z.output<ReturnType<typeof input>>;

const listed = ({ files, hunks }: Input): string =>
  `${hunks ? `${hunks.length === 1 ? 'hunk' : 'hunks'} ${hunks.join(', ')} of ` : ''}${files?.join(', ') || 'everything'}`;

/** What is judged: these places, and where hunks were chosen, the patch of them. */
interface Part {
  readonly places: readonly string[];
  readonly patch?: string;
}

export function createGitStage(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_stage',
    permission: 'moderate',
    errors: ['FILE_NOT_FOUND', 'CONFLICT', 'UNTRUSTED'],
    about:
      'Stage files, deleted ones too; without files everything that has changed. hunks stages some of one file, counted from 1 as git_diff shows them.',
    input,
    output: () => z.object({ staged: z.array(z.string()) }),
    text: ({ staged }) => (staged.length === 0 ? 'nothing staged' : ['staged', ...staged].join('\n')),
    effects: () => ['writes'],
    summary: (given) => `Stage ${listed(given)}`,
    async check({ files, hunks, of }, repository) {
      const places = await existingPlaces(repository, files);
      if (!places.ok) return places;
      if (hunks) return hunkCheck(repository, places.value, { hunks, of, isStaged: false });
      const status = await readStatus(repository);
      if (!status.ok) return status;
      // Each file by its name, so that a rule for one of them is not passed by its folder.
      const changed = filesBelow(status.value.files, places.value);
      const marked = await refuseMarkers(repository, changed, []);
      if (marked) return marked;
      const value: Part = { places: places.value };
      return ok({ value, places: [...new Set([...places.value, ...changed])] });
    },
    async run({ hunks, of }, repository, { places, patch }) {
      const added = hunks
        ? await applyHunks(repository, places, { hunks, of, isStaged: false }, patch)
        : await stage(repository, places);
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
    about:
      'Take files out of the index again, without files all of them; the files themselves stay as they are. hunks takes out some of one file, counted from 1 as git_diff with staged shows them.',
    input,
    output: () => z.object({ unstaged: z.array(z.string()) }),
    text: ({ unstaged }) => (unstaged.length === 0 ? 'nothing unstaged' : ['unstaged', ...unstaged].join('\n')),
    effects: () => ['writes'],
    summary: (given) => `Unstage ${listed(given)}`,
    async check({ files, hunks, of }, repository) {
      const places = await placesOf(repository, files);
      if (!places.ok) return places;
      if (hunks) return hunkCheck(repository, places.value, { hunks, of, isStaged: true });
      const value: Part = { places: places.value };
      return ok({ value, places: places.value });
    },
    async run({ hunks, of }, repository, { places, patch }) {
      const before = await stagedNames(repository, places);
      if (!before.ok) return before;
      const reset = hunks
        ? await applyHunks(repository, places, { hunks, of, isStaged: true }, patch)
        : await repository.write(['reset', '--quiet', '--', ...places]);
      if (!reset.ok) return reset;
      const after = await stagedNames(repository, places);
      return after.ok ? ok({ unstaged: before.value.filter((name) => !after.value.includes(name)) }) : after;
    },
  });
}

interface Chosen {
  /** Counted from 1. */
  readonly hunks: readonly number[];
  readonly of: string | undefined;
  /** Of the index against HEAD, to be taken out again. */
  readonly isStaged: boolean;
}

/** Errors: VALIDATION_ERROR (no such hunk, or a file that goes as a whole), STALE (other hunks than were shown). */
async function chosenPatch(
  repository: Repository,
  [place = '.']: readonly string[],
  { hunks, of, isStaged }: Chosen,
): Promise<Result<string>> {
  const patch = await filePatch(repository, place, isStaged);
  if (!patch.ok) return patch;
  if (of !== undefined && of !== patch.value.id)
    return fail('STALE', `The changes of ${place} are other than those that were shown. Look again.`);
  const missing = hunks.find((number) => number > patch.value.hunks.length);
  if (missing !== undefined)
    return fail(
      'VALIDATION_ERROR',
      `${place} has ${patch.value.hunks.length} hunks there, and none numbered ${missing}.`,
    );
  const chosen = hunks.map((number) => number - 1);
  return ok(partOfPatch(patch.value, chosen, isStaged));
}

async function hunkCheck(repository: Repository, places: readonly string[], chosen: Chosen) {
  const patch = await chosenPatch(repository, places, chosen);
  if (!patch.ok) return patch;
  const value: Part = { places, patch: patch.value };
  const title = chosen.isStaged ? 'Unstage' : 'Stage';
  return ok({ value, places, preview: { kind: 'text' as const, title, text: patch.value } });
}

/** Puts the shown hunks into the index, or takes them out of it. Errors: STALE and those of git. */
async function applyHunks(
  repository: Repository,
  places: readonly string[],
  chosen: Chosen,
  shown: string | undefined,
) {
  const now = await chosenPatch(repository, places, chosen);
  if (!now.ok) return now;
  if (now.value !== shown)
    return fail('STALE', `The changes of ${places[0] ?? ''} are other than those that were shown. Look again.`);
  const args = ['apply', '--cached', '--whitespace=nowarn', ...(chosen.isStaged ? ['--reverse'] : []), '-'];
  return repository.write(args, { input: now.value });
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
