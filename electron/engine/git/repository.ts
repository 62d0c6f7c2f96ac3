import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Environment } from '../exec/childEnvironment.ts';
import { isInside } from '../workspace/pathRules.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import { gitEnvironment, untrustedSettings } from './gitEnvironment.ts';
import { repositoryPrograms } from './repositoryPrograms.ts';
import { type GitOptions, type GitOutput, type GitPlace, runGit } from './runGit.ts';

/** What the git tools borrow from the project. */
export interface GitPort {
  readonly environment: () => Environment;
  /** Values that no child process may see. */
  readonly secrets: () => readonly string[];
  /** Whether hooks, filters and merge drivers of the folder may run; asked each time, since trust is bound to content. */
  readonly trusted: () => Promise<boolean>;
  /** Further protected branches, from the settings. */
  readonly protectedBranches: () => readonly string[];
  /** For every start of git, ms; a minute, and ten where hooks run, unless told. */
  readonly limitMs?: number;
}

/** An opened repository. All paths in and out are relative to `base`, with forward slashes. */
export interface Repository {
  /** The top folder of the working tree, or the workspace root when that lies below it; absolute and real. */
  readonly base: string;
  /** `base` below the top folder, with a final slash; empty when they are one. */
  readonly prefix: string;
  /** `base` for people: relative to the workspace. */
  readonly name: string;
  /** Runs a command that only reads; programs named by an untrusted repository are switched off. */
  read(args: readonly string[], options?: GitOptions): Promise<Result<GitOutput>>;
  /** Runs one that writes. UNTRUSTED when the untrusted repository names programs that git would have to run. */
  write(args: readonly string[], options?: GitOptions): Promise<Result<GitOutput>>;
  /** A path given by a caller. Errors: VALIDATION_ERROR, PATH_TRAVERSAL_DETECTED. */
  place(given: string): Promise<Result<string>>;
}

/** Errors: NOT_A_GIT_REPOSITORY, DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY, PATH_TRAVERSAL_DETECTED, UNAVAILABLE, GIT_ERROR, CANCELLED. */
export async function openRepository(
  port: GitPort,
  sandbox: Sandbox,
  repoPath: string,
  signal?: AbortSignal,
): Promise<Result<Repository>> {
  const folder = await sandbox.resolve(repoPath);
  if (!folder.ok) return folder;
  if (folder.value.kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${repoPath} does not exist`);
  if (folder.value.kind !== 'directory') return fail('NOT_A_DIRECTORY', `${repoPath} is not a folder`);
  const stop = signal ? { signal } : {};
  const trusted = await port.trusted();
  const found: GitPlace = {
    cwd: folder.value.real,
    environment: gitEnvironment(port.environment(), port.secrets()),
    settings: trusted ? [] : untrustedSettings,
    ...(port.limitMs === undefined ? {} : { limitMs: port.limitMs }),
  };
  const asked = await runGit(found, ['rev-parse', '--show-toplevel', '--absolute-git-dir'], { reads: true, ...stop });
  if (!asked.ok) {
    const said = (asked.error.details as { stderr?: string } | undefined)?.stderr ?? '';
    return asked.error.code === 'GIT_ERROR' && /not a git repository|must be run in a work tree/i.test(said)
      ? fail('NOT_A_GIT_REPOSITORY', `${folder.value.relative} is not in a git repository. Make one with git init.`)
      : asked;
  }
  const [shownTop = '', gitFolder = ''] = asked.value.stdout.split('\n');
  const top = await realpath(shownTop);
  const escape = await leavesProject(top, gitFolder, sandbox);
  if (escape) return escape;
  const base = sandbox.roots.some((root) => isInside(root, top, sandbox.platform)) ? top : folder.value.root;
  const prefix = path.relative(top, base).replaceAll(path.sep, '/');
  const programs = trusted ? ok({ readingSettings: [], writingKeys: [] }) : await repositoryPrograms(found, signal);
  if (!programs.ok) return programs;
  const { readingSettings, writingKeys } = programs.value;
  const here = { ...found, cwd: base };
  const reading = { ...here, settings: [...here.settings, ...readingSettings] };
  const shown = await sandbox.resolve(base);
  return ok({
    base,
    prefix: prefix === '' ? '' : `${prefix}/`,
    name: shown.ok ? shown.value.relative : '.',
    read: (args, options) => runGit(reading, args, { reads: true, ...stop, ...options }),
    async write(args, options) {
      if (writingKeys.length > 0) return untrusted(writingKeys);
      return runGit(here, args, { ...stop, ...options });
    },
    place: (given) => placeIn(base, given, sandbox),
  });
}

/** `.git` as a link to somewhere else would let calls write to a repository that is not the project's (P5). */
async function leavesProject(top: string, gitFolder: string, sandbox: Sandbox): Promise<Result<never> | undefined> {
  const entry = await lstat(path.join(top, '.git')).catch(() => undefined);
  if (!entry?.isSymbolicLink()) return undefined;
  const real = await realpath(gitFolder);
  if (sandbox.roots.some((root) => isInside(root, real, sandbox.platform))) return undefined;
  return fail('PATH_TRAVERSAL_DETECTED', '.git is a link that leaves the project');
}

function untrusted(keys: readonly string[]): Result<never> {
  return fail(
    'UNTRUSTED',
    `This folder is not trusted, and its git configuration names programs that git would run: ${keys.join(', ')}. Trust the folder, or remove them.`,
    { keys },
  );
}

async function placeIn(base: string, given: string, sandbox: Sandbox): Promise<Result<string>> {
  if (given.startsWith('-')) return fail('VALIDATION_ERROR', `A path must not begin with "-": ${given}`);
  if (given === '' || given.includes('\0')) return fail('VALIDATION_ERROR', 'A path is empty or contains NUL');
  const absolute = path.resolve(base, given);
  // The last name is not followed: git keeps a link as a link.
  const parent = await sandbox.resolve(absolute === base ? base : path.dirname(absolute));
  if (!parent.ok) return parent;
  const real = absolute === base ? base : path.join(parent.value.real, path.basename(absolute));
  if (!isInside(base, real, sandbox.platform))
    return fail('PATH_TRAVERSAL_DETECTED', `${given} is outside the repository`);
  return ok(path.relative(base, real).replaceAll(path.sep, '/') || '.');
}
