import { lstat, readFile, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Environment } from '../exec/childEnvironment.ts';
import { isInside } from '../workspace/pathRules.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import { gitEnvironment, untrustedEnvironment, untrustedSettings } from './gitEnvironment.ts';
import { repositoryPrograms } from './repositoryPrograms.ts';
import { type GitOptions, type GitOutput, type GitPlace, runGit } from './runGit.ts';
import { type HookedCommand, presentHooks } from './skippedHooks.ts';

/** What the git tools borrow from the project. */
export interface GitPort {
  readonly environment: () => Environment;
  /** Values that no child process may see. */
  readonly secrets: () => readonly string[];
  /** Whether hooks, filters and merge drivers of the folder may run; asked each time, since trust is bound to content. */
  readonly trusted: () => Promise<boolean>;
  /** Further protected branches, from the settings. */
  readonly protectedBranches: () => readonly string[];
  /** When commands run in the system's sandbox: how a commit is started in it, since its hooks are programs of the folder (C12). */
  readonly sandbox?: () => GitPlace['start'];
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
  /** The workspace lies inside somebody else's repository and is not trusted: what lies around it is not shown or changed. */
  readonly isForeign: boolean;
  /** Where git keeps its state, absolute. */
  readonly gitFolder: string;
  /** A word for the hooks that `write` keeps git from running with this command; empty when there are none. */
  hookWarnings(command: HookedCommand): Promise<readonly string[]>;
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
    environment: {
      ...gitEnvironment(port.environment(), port.secrets(), folder.value.root),
      ...(trusted ? {} : untrustedEnvironment),
    },
    settings: trusted ? [] : untrustedSettings,
    limitMs: port.limitMs,
  };
  const asked = await runGit(found, ['rev-parse', '--show-toplevel', '--absolute-git-dir'], { reads: true, ...stop });
  if (!asked.ok) {
    const said = (asked.error.details as { stderr?: string } | undefined)?.stderr ?? '';
    if (asked.error.code !== 'GIT_ERROR') return asked;
    const { relative } = folder.value;
    if (/must be run in a work tree|cannot use bare repository/i.test(said))
      return fail('NOT_A_GIT_REPOSITORY', `${relative} has no working tree: it is the inside of a git repository.`);
    return /not a git repository/i.test(said)
      ? fail('NOT_A_GIT_REPOSITORY', `${relative} is not in a git repository. Make one with git init.`)
      : asked;
  }
  const [shownTop = '', gitFolder = ''] = asked.value.stdout.split('\n');
  const top = await realpath(shownTop);
  const escape = await leavesProject({ top, gitFolder, folder: folder.value.real, trusted }, sandbox);
  if (escape) return escape;
  const isOuter = !isInRoots(top, sandbox);
  const base = isOuter ? folder.value.root : top;
  const prefix = path.relative(top, base).replaceAll(path.sep, '/');
  const programs = trusted ? ok({ readingSettings: [], writingKeys: [] }) : await repositoryPrograms(found, signal);
  if (!programs.ok) return programs;
  const { readingSettings, writingKeys } = programs.value;
  const here = { ...found, cwd: base };
  const reading = { ...here, settings: [...here.settings, ...readingSettings] };
  const shown = await sandbox.resolve(base);
  const isWithin = isInRoots(await realpath(gitFolder), sandbox);
  return ok({
    base,
    prefix: prefix === '' ? '' : `${prefix}/`,
    name: shown.ok ? shown.value.relative : '.',
    isForeign: isOuter && !trusted,
    gitFolder,
    async hookWarnings(command) {
      if (trusted && (!port.sandbox?.() || (command === 'commit' && isWithin))) return [];
      const hooks = await presentHooks({ ...here, settings: [] }, command);
      const why = trusted ? 'commands run in the sandbox' : 'this folder is not trusted';
      return hooks.length === 0 ? [] : [`Hooks that do not run, since ${why}: ${hooks.join(', ')}`];
    },
    read: (args, options) => runGit(reading, args, { reads: true, ...stop, ...options }),
    async write(args, options) {
      if (writingKeys.length > 0) return untrusted(writingKeys);
      const start = port.sandbox?.();
      // Only a commit stays within what the sandbox may write, unless git keeps its state elsewhere; otherwise no hook runs.
      const hooks = start && !(args[0] === 'commit' && isWithin) ? [`core.hooksPath=${devNull}`] : [];
      const place = { ...here, settings: [...here.settings, ...hooks], start: hooks.length > 0 ? undefined : start };
      return runGit(place, args, { ...stop, ...options });
    },
    place: (given) => placeIn(base, given, sandbox),
  });
}

function isInRoots(real: string, sandbox: Sandbox): boolean {
  return sandbox.roots.some((root) => isInside(root, real, sandbox.platform));
}

interface Found {
  readonly top: string;
  readonly gitFolder: string;
  readonly folder: string;
  readonly trusted: boolean;
}

/** A `.git` or a `core.worktree` that leads elsewhere would let calls read and write what is not the project's (P5). */
async function leavesProject(
  { top, gitFolder, folder, trusted }: Found,
  sandbox: Sandbox,
): Promise<Result<never> | undefined> {
  if (!isInside(top, folder, sandbox.platform))
    return fail('PATH_TRAVERSAL_DETECTED', `core.worktree leads out of the folder, to ${top}`);
  const dotGit = path.join(top, '.git');
  const entry = await lstat(dotGit).catch(() => undefined);
  const real = await realpath(gitFolder);
  if (!trusted) {
    const lent = await lentParts(real, sandbox);
    if (lent !== undefined)
      return fail(
        'PATH_TRAVERSAL_DETECTED',
        `${lent} of the repository leads to another one outside the project. Trust the folder to use it`,
      );
  }
  if (entry === undefined || entry.isDirectory() || isInRoots(real, sandbox)) return undefined;
  if (entry.isSymbolicLink()) return fail('PATH_TRAVERSAL_DETECTED', '.git is a link that leaves the project');
  // A repository anywhere may be named in a file; one that belongs to this folder names the folder in turn.
  if (trusted || (await namesBack(real, dotGit))) return undefined;
  return fail(
    'PATH_TRAVERSAL_DETECTED',
    `.git names the repository ${real}, which knows nothing of this folder. Trust the folder to use it`,
  );
}

/** A linked working tree is written down in its repository (gitrepository-layout: worktrees/NAME/gitdir), a submodule as core.worktree. */
async function namesBack(gitFolder: string, dotGit: string): Promise<boolean> {
  const linked = await readFile(path.join(gitFolder, 'gitdir'), 'utf8').catch(() => undefined);
  if (linked !== undefined) return (await realOf(path.resolve(gitFolder, linked.trim()))) === dotGit;
  const config = await readFile(path.join(gitFolder, 'config'), 'utf8').catch(() => '');
  const named = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config)?.[1];
  return named !== undefined && (await realOf(path.resolve(gitFolder, named))) === path.dirname(dotGit);
}

/** Parts of a repository inside the project that are somebody else's: its history would be shown as the project's. */
async function lentParts(gitFolder: string, sandbox: Sandbox): Promise<string | undefined> {
  if (!isInRoots(gitFolder, sandbox)) return undefined;
  const common = await readFile(path.join(gitFolder, 'commondir'), 'utf8').catch(() => undefined);
  if (common !== undefined) {
    const real = await realOf(path.resolve(gitFolder, common.trim()));
    if (real === undefined || !isInRoots(real, sandbox)) return 'commondir';
  }
  for (const name of ['HEAD', 'config', 'logs', 'objects', 'packed-refs', 'refs', 'refs/heads', 'refs/remotes']) {
    const real = await realOf(path.join(gitFolder, name));
    if (real !== undefined && !isInRoots(real, sandbox)) return name;
  }
  return undefined;
}

function realOf(name: string): Promise<string | undefined> {
  return realpath(name).catch(() => undefined);
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
