import { join, posix } from 'node:path';
import * as z from 'zod';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { Immutable } from '../../../../shared/immutable.ts';
import type { Effect } from '../../../../shared/model/intent.ts';
import type { Level } from '../../../../shared/model/level.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { type GitPort, openRepository, type Repository } from '../../git/repository.ts';
import { gitErrors } from '../frame/errorGroups.ts';
import { defineTool, type Hands, type PlannedPreview, type Tool } from '../frame/tool.ts';

// Schemas are made when a tool is asked for its own: made here, each would cost every start.

/** Of every git tool: the folder, by default the workspace. */
export const repoPath = () => z.string().optional();

/** In the place of a branch or revision; git would read a leading `-` as an option. */
export const refName = () =>
  z.string().refine((name) => name !== '' && !name.startsWith('-') && !name.includes('\0'), {
    message: 'must not be empty, begin with "-" or contain NUL',
  });

/** No program can be handed a NUL; git takes no message with one either. */
export const withoutNul = () => z.string().refine((text) => !text.includes('\0'), { message: 'must not contain NUL' });

/** What a look at the repository found out before anybody is asked. */
export interface Checked<C> {
  readonly value: C;
  readonly preview?: PlannedPreview;
  /** The files that are named, relative to the repository's folder: rules judge them like those of any other tool. */
  readonly places?: readonly string[];
  /** The files that it writes into the working tree, absolute. */
  readonly writes?: readonly string[];
}

export interface GitToolDefinition<S extends z.ZodType<{ repoPath?: string | undefined }>, C, O extends z.ZodType> {
  readonly name: string;
  readonly permission: Level;
  readonly pseudo?: string;
  readonly about: string;
  /** Beside those of opening the repository. */
  readonly errors?: readonly ErrorCode[];
  readonly input: () => S;
  readonly output: () => O;
  readonly text?: (data: Immutable<z.output<O>>) => string;
  readonly leftOut?: (data: Immutable<z.output<O>>) => string | undefined;
  /** Where one input needs more than `permission`. */
  readonly risk?: (input: z.output<S>) => Level;
  readonly effects: (input: z.output<S>) => readonly Effect[];
  readonly summary: (input: z.output<S>) => string;
  /** Refuses what cannot work, and says what will be shown. */
  check(input: z.output<S>, repository: Repository): Promise<Result<Checked<C>>>;
  run(input: z.output<S>, repository: Repository, checked: C, hands: Hands): Promise<Result<Immutable<z.output<O>>>>;
}

/** A tool over one repository, which is opened to look and again to act: it must still be the same place by then (P9). */
export function defineGitTool<S extends z.ZodType<{ repoPath?: string | undefined }>, C, O extends z.ZodType>(
  port: GitPort,
  definition: GitToolDefinition<S, C, O>,
): Tool {
  const { name, permission, pseudo, about, input, output, text, leftOut } = definition;
  return defineTool({
    name,
    category: 'git',
    permission,
    text,
    leftOut,
    pseudo,
    about,
    errors: [...gitErrors, ...(definition.errors ?? [])],
    input,
    output,
    async plan(given, look) {
      const repository = await openRepository(port, look.sandbox, given.repoPath ?? '.');
      if (!repository.ok) return repository;
      const checked = await definition.check(given, repository.value);
      if (!checked.ok) return checked;
      const { name: place, base } = repository.value;
      const { preview = { kind: 'none' }, places = [], writes = [], value } = checked.value;
      return ok({
        intent: {
          risk: definition.risk?.(given) ?? permission,
          effects: definition.effects(given),
          targets: [
            { kind: 'other', name: `git repository ${place}` },
            ...places.map((path) => ({ kind: 'path' as const, path: join(base, path), access: 'read' as const })),
            ...writes.map((path) => ({ kind: 'path' as const, path, access: 'write' as const })),
          ],
          summary: definition.summary(given),
          preview,
        },
        plan: { given, base, checked: value },
      });
    },
    async run({ given, base, checked }, hands) {
      const repository = await openRepository(port, hands.look.sandbox, given.repoPath ?? '.', hands.signal);
      if (!repository.ok) return repository;
      if (repository.value.base !== base)
        return fail('STALE', 'The folder of the repository was replaced since this call was shown. Look again.');
      return definition.run(given, repository.value, checked, hands);
    },
  });
}

export const nothingToCheck = (): Promise<Result<Checked<null>>> => Promise.resolve(ok({ value: null }));

/** Paths of a caller inside the repository; everything for none. Errors: VALIDATION_ERROR, PATH_TRAVERSAL_DETECTED. */
export async function placesOf(
  repository: Repository,
  files: readonly string[] | undefined,
): Promise<Result<readonly string[]>> {
  if (files === undefined || files.length === 0) return ok(['.']);
  const places: string[] = [];
  for (const file of files) {
    const place = await repository.place(file);
    if (!place.ok) return place;
    places.push(place.value);
  }
  return ok(places);
}

/** Whether a path is one of these places or lies below one, all relative to the repository. */
export function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => place === '.' || path === place || path.startsWith(`${place}/`));
}

/** A path of the repository as rules and tools name it. */
export function inProject({ name }: Repository, path: string): string {
  return posix.join(name, path);
}

/** The names that `-z --name-only` printed. */
export function namesOf(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}
