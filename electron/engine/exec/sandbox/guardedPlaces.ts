import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mounts, and the shell text that takes away behind them what they had to make. */
export interface Guard {
  readonly args: readonly string[];
  readonly cleanUp: string;
}

/** What agents, editors and git obey outside the sandbox (C12): read-only inside where it exists. */
const obeyedPlaces: readonly string[] = [
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

/** Of those, what is made empty where it is missing, so that it cannot be planted. */
const neverPlanted = ['.vise', '.cli-bridge', '.vscode'];

export function guardProject(project: string): Guard {
  const args: string[] = [];
  const cleanUp: string[] = [];
  for (const place of obeyedPlaces) {
    const path = join(project, place);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // A link is guarded by where it leads: into the project it may be written, elsewhere it is read-only already.
    if (stat?.isSymbolicLink()) continue;
    if (stat !== undefined) args.push('--ro-bind', path, path);
    else if (neverPlanted.includes(place)) {
      args.push('--tmpfs', path, '--remount-ro', path);
      cleanUp.push(`rmdir ${quote(path)} 2>/dev/null`);
    }
  }
  const git = guardGit(project);
  return { args: [...args, ...git.args], cleanUp: [...cleanUp, git.cleanUp].filter((text) => text !== '').join('; ') };
}

/**
 * What git runs or follows by itself stays as it is: hooks (also where `core.hooksPath` points), the configuration, and the
 * files that lead to another one. Covering what is missing makes an empty file or folder to cover.
 */
export function guardGit(project: string): Guard {
  const git = join(project, '.git');
  const stat = lstatSync(git, { throwIfNoEntry: false });
  if (stat === undefined) {
    return { args: ['--tmpfs', git, '--remount-ro', git], cleanUp: `rmdir ${quote(git)} 2>/dev/null` };
  }
  if (!stat.isDirectory()) return { args: ['--ro-bind', git, git], cleanUp: '' }; // a worktree's pointer, or a link
  const hooks = join(git, 'hooks');
  // A mount of its own keeps `.git` from being renamed away and replaced.
  const args: string[] = ['--bind', git, git];
  const cleanUp: string[] = [];
  if (existsSync(hooks)) {
    args.push('--ro-bind', hooks, hooks);
  } else {
    args.push('--tmpfs', hooks, '--remount-ro', hooks);
    cleanUp.push(`rmdir ${quote(hooks)} 2>/dev/null`);
  }
  for (const name of ['config', 'config.worktree']) {
    const file = join(git, name);
    if (existsSync(file)) {
      args.push('--ro-bind', file, file);
    } else {
      args.push('--ro-bind', '/dev/null', file);
      cleanUp.push(`[ -s ${quote(file)} ] || rm -f ${quote(file)}`);
    }
  }
  const common = join(git, 'commondir');
  if (existsSync(common)) args.push('--ro-bind', common, common);
  // Nothing can lie there while git works, not even an empty file: what was planted goes when the command has ended.
  else cleanUp.push(`rm -f ${quote(common)}`);
  for (const path of configuredHooks(project, git)) args.push('--ro-bind', path, path);
  for (const path of configurationsBelow(git)) args.push('--ro-bind', path, path);
  return { args, cleanUp: cleanUp.join('; ') };
}

/** The folder inside the project that `core.hooksPath` names, if any. */
function configuredHooks(project: string, git: string): readonly string[] {
  const text = existsSync(join(git, 'config')) ? readFileSync(join(git, 'config'), 'utf8') : '';
  const named = [...text.matchAll(/^\s*hooksPath\s*=\s*"?([^"\n#;]+?)"?\s*$/gim)].map(([, path = '']) => path);
  return named.map((path) => (path.startsWith('/') ? path : join(project, path))).filter((path) => existsSync(path));
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

export function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
