import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../shell/quoteWord.ts';
import { gitConfigured } from './gitConfigured.ts';

/** Mounts, and the shell text that takes away behind them what they had to make. */
export interface Guard {
  readonly args: readonly string[];
  readonly cleanUp: string;
}

/** What agents, editors and git obey outside the sandbox (C12): read-only inside where it exists. */
export const obeyedPlaces: readonly string[] = [
  '.vise',
  '.cli-bridge',
  '.mcp.json',
  '.husky',
  '.vscode',
  '.idea',
  '.zed',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.devcontainer',
  '.devcontainer.json',
  '.envrc',
  '.gitmodules',
];

/**
 * Of those, the folders that are made empty where they are missing, so that nothing can be planted for another program to
 * obey. Not `.husky`, which an install makes (git is kept from following it), nor files: an empty one would be read meanwhile.
 */
const neverPlanted: ReadonlySet<string> = new Set([
  '.vise',
  '.cli-bridge',
  '.vscode',
  '.zed',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.devcontainer',
]);

export function guardProject(project: string, home: string): Guard {
  const args: string[] = [];
  const cleanUp: string[] = [];
  const add = (guard: Guard): void => {
    args.push(...guard.args);
    cleanUp.push(guard.cleanUp);
  };
  for (const place of obeyedPlaces) {
    const path = join(project, place);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A link is guarded by where it leads: into the project it may be written, elsewhere it is read-only already.
    if (stat?.isSymbolicLink()) continue;
    if (stat !== undefined) args.push('--ro-bind', path, path);
    else if (neverPlanted.has(place)) add(emptyFolder(path));
  }
  add(guardGit(project, home));
  return { args, cleanUp: cleanUp.filter((text) => text !== '').join('; ') };
}

/** Nothing can be made in it; it goes when the command has ended. */
const emptyFolder = (path: string): Guard => ({
  args: ['--tmpfs', path, '--remount-ro', path],
  cleanUp: `rmdir ${quoteWord(path)} 2>/dev/null`,
});

const emptyFile = (path: string): Guard => ({
  args: ['--ro-bind', '/dev/null', path],
  cleanUp: `[ -s ${quoteWord(path)} ] || rm -f ${quoteWord(path)}`,
});

/**
 * What git runs or follows by itself stays as it is: hooks (also where `core.hooksPath` points), the configuration with what it
 * includes, and the files that lead to another one. Covering what is missing makes an empty file or folder to cover.
 */
function guardGit(project: string, home: string): Guard {
  const git = join(project, '.git');
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat === undefined) return emptyFolder(git);
  if (!stat.isDirectory()) return { args: ['--ro-bind', git, git], cleanUp: '' }; // a worktree's pointer, or a link
  // A mount of its own keeps `.git` from being renamed away and replaced.
  const args: string[] = ['--bind', git, git];
  const cleanUp: string[] = [];
  const guard = (path: string, missing: (path: string) => Guard): void => {
    const { args: more, cleanUp: text } = existsSync(path)
      ? { args: ['--ro-bind', path, path], cleanUp: '' }
      : missing(path);
    args.push(...more);
    if (text !== '') cleanUp.push(text);
  };
  const configured = gitConfigured(project, git, home);
  const inside = (path: string): boolean => path.startsWith(`${project}/`);
  for (const path of [join(git, 'hooks'), ...configured.hooks.filter(inside)]) guard(path, emptyFolder);
  const files = ['config', 'config.worktree'].map((name) => join(git, name));
  for (const path of [...files, ...configured.files.filter(inside)]) guard(path, emptyFile);
  const common = join(git, 'commondir');
  if (existsSync(common)) args.push('--ro-bind', common, common);
  // Nothing can lie there while git works, not even an empty file: what was planted goes when the command has ended.
  else cleanUp.push(`rm -f ${quoteWord(common)}`);
  for (const path of configurationsBelow(git)) args.push('--ro-bind', path, path);
  return { args, cleanUp: cleanUp.join('; ') };
}

/** The configurations and hooks of submodules and worktrees of this repository. */
function configurationsBelow(git: string): readonly string[] {
  const inside = (folder: string): readonly string[] =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [...inside(join(git, 'modules')), ...inside(join(git, 'worktrees'))]
    .flatMap((folder) =>
      ['config', 'config.worktree', 'commondir', 'gitdir', 'hooks'].map((name) => join(folder, name)),
    )
    .filter((path) => existsSync(path));
}
