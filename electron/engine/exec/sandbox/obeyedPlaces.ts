import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gitConfigured, settingsOf } from './gitConfigured.ts';

/** What stands in a place that is missing while a command runs, so that nothing can be planted there. */
type WhenMissing = 'folder' | 'file' | 'nothing';

export interface ObeyedPlace {
  /** Absolute, without links. */
  readonly path: string;
  readonly whenMissing: WhenMissing;
}

export interface Obeyed {
  readonly places: readonly ObeyedPlace[];
  /** Links in the project that lead to an obeyed place; what they lead to is among the places. */
  readonly links: readonly string[];
  /** Files that must not be there when a command has ended, and cannot be covered while it runs. */
  readonly unwanted: readonly string[];
}

/**
 * What agents, editors and git obey in a project, outside the sandbox (C12). A missing file stays missing: others would read an
 * empty one meanwhile.
 */
const obeyedNames: readonly (readonly [whenMissing: WhenMissing, names: string])[] = [
  ['folder', '.vise .cli-bridge .vscode .zed .cursor .claude .codex .gemini .devcontainer .husky'],
  ['nothing', '.idea .fleet .opencode .windsurf .continue .roo .kiro .qwen .amazonq'],
  ['nothing', '.mcp.json opencode.json .devcontainer.json .envrc .gitmodules'],
];

/** Settings of one project that lead further than these are not looked through to the end. */
const maxDepth = 4;
const maxEntries = 2_000;
const maxSubmodules = 200;

/** `project` must be a real path. What lies outside it is left out: there the sandbox writes nothing. */
export function findObeyed(project: string, home: string): Obeyed {
  const places: ObeyedPlace[] = [];
  const links: string[] = [];
  const unwanted: string[] = [];
  let left = maxEntries;

  const add = (named: string, whenMissing: WhenMissing): void => {
    const path = realPlace(named);
    links.push(...linksOn(project, named));
    // Links that lead in a circle lead to nothing that could be obeyed.
    if (!path.startsWith(`${project}/`) || linksOn(project, path).length > 0) return;
    places.push({ path, whenMissing });
    addTargets(path, 0);
  };
  /** What is linked from inside an obeyed folder is obeyed too; the links themselves cannot change there. */
  const addTargets = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if ((left -= 1) < 0) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < maxDepth) addTargets(path, depth + 1);
      else if (entry.isSymbolicLink()) {
        const target = realPlace(path);
        if (target.startsWith(`${project}/`)) places.push({ path: target, whenMissing: 'nothing' });
      }
    }
  };
  /** Hooks (also where `core.hooksPath` points), the configuration with what it includes, and files that lead to another one. */
  const addGit = (work: string, git: string): void => {
    const configured = gitConfigured(work, git, home);
    for (const path of [join(git, 'hooks'), ...configured.hooks]) add(path, 'folder');
    for (const path of [join(git, 'config'), join(git, 'config.worktree'), ...configured.files]) add(path, 'file');
    // Nothing can lie there while git works, not even an empty file.
    const common = join(git, 'commondir');
    if (isThere(common)) add(common, 'nothing');
    else unwanted.push(common);
    for (const folder of [...gitFoldersBelow(join(git, 'modules')), ...gitFoldersBelow(join(git, 'worktrees'))])
      for (const name of ['config', 'config.worktree', 'commondir', 'gitdir', 'hooks'])
        if (isThere(join(folder, name))) add(join(folder, name), 'nothing');
  };

  for (const [whenMissing, names] of obeyedNames)
    for (const name of names.split(' ')) add(join(project, name), whenMissing);
  for (const work of [project, ...submodulesOf(project)]) {
    const dotGit = join(work, '.git');
    const stat = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stat?.isDirectory()) addGit(work, dotGit);
    else if (stat !== undefined || work === project) add(dotGit, 'folder');
    // A pointer of a linked working tree or of a repository that lies beside it, perhaps in the project.
    if (stat?.isFile()) for (const git of gitFoldersOf(dotGit)) if (git.startsWith(`${project}/`)) addGit(work, git);
  }
  return { places, links: [...new Set(links)], unwanted };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a file, missing, or not to be read
  }
}

/** Where a path leads through its links; what is missing at its end stays as it is named. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), path.slice(parent.length));
  }
}

/** The first link on the way from the project to a path: all others lie behind it or in folders that are guarded. */
function linksOn(project: string, path: string): readonly string[] {
  const names = path.slice(project.length + 1).split('/');
  if (!path.startsWith(`${project}/`)) return [];
  const ways = names.map((_, at) => join(project, ...names.slice(0, at + 1)));
  return ways.filter((way) => lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink()).slice(0, 1);
}

/** Folders of git below one of its own: names of submodules may have slashes, and those may have submodules. */
function gitFoldersBelow(folder: string, depth = 0): readonly string[] {
  return entriesOf(folder)
    .slice(0, maxSubmodules)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .flatMap((path) => {
      if (isThere(join(path, 'HEAD')) || isThere(join(path, 'config')))
        return [path, ...gitFoldersBelow(join(path, 'modules'), depth + 1)];
      return depth < maxDepth ? gitFoldersBelow(path, depth + 1) : [];
    });
}

/** The folder that a `.git` file names, and the one that it shares with others. */
function gitFoldersOf(pointer: string): readonly string[] {
  const git = pointedAt(pointer, /^gitdir: (.*)/);
  if (git === undefined) return [];
  const common = pointedAt(join(git, 'commondir'), /^(.*)/);
  return common === undefined ? [git] : [git, common];
}

function pointedAt(file: string, pattern: RegExp): string | undefined {
  try {
    const [, named = ''] = pattern.exec(readFileSync(file, 'utf8')) ?? [];
    return named.trim() === '' ? undefined : realPlace(resolve(dirname(file), named.trim()));
  } catch {
    return undefined;
  }
}

function submodulesOf(project: string): readonly string[] {
  return settingsOf(join(project, '.gitmodules'))
    .filter(({ section, key }) => section === 'submodule' && key === 'path')
    .slice(0, maxSubmodules)
    .map(({ value }) => resolve(project, value))
    .filter((path) => path.startsWith(`${project}/`));
}
