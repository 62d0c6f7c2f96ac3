import { posix } from 'node:path';
import { joined } from '../../shell/placedLine.ts';
import type { TreeFiles } from '../danger/otherTrees.ts';
import type { PatchReader } from '../danger/patchedFiles.ts';
import type { ProtectedPath } from '../danger/protectedTargets.ts';

/** The text of a script that the project's package names; provided by the project's room. */
export type PackageScript = (folder: string, name: string) => string | undefined;

/** Where the project stands, and what the engine provides. */
export interface RuleContext {
  /** Real path of the project folder. */
  readonly project: string;
  readonly home?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  readonly protectedPath: ProtectedPath;
  /** Folders where Vise keeps its configuration and state: nobody writes there unasked. */
  readonly ownFolders?: readonly string[] | undefined;
  /** The project is a working tree that Vise made in one of them: it is the agent's like any project. */
  readonly isLane?: boolean | undefined;
  /** Where an absolute path leads when links are followed, as far as it exists. Without it, paths are judged by name. */
  readonly realPath?: ((path: string) => string) | undefined;
  /** Whether git would obey another repository there than the project's. */
  readonly isEmbedded?: ((folder: string) => boolean) | undefined;
  /** Without it, commands of git that write another tree are judged by their words alone. */
  readonly treeFiles?: TreeFiles | undefined;
  /** Without it, what a patch writes is not known. */
  readonly patches?: PatchReader | undefined;
  /** Without it, what `npm run` and its like run is not looked into. */
  readonly packageScript?: PackageScript | undefined;
}

/** Relative to the project (forward slashes) when it lies inside, else absolute. */
export function projectPath(path: string, folder: string, project: string): string {
  const full = fullPath(path, folder);
  const root = posix.normalize(project.replaceAll('\\', '/')).replace(/(?<=.)\/$/, '');
  if (full === root) return '.';
  return full.startsWith(`${root}/`) ? full.slice(root.length + 1) : full;
}

function fullPath(path: string, folder: string): string {
  return joined(folder.replaceAll('\\', '/'), path.replaceAll('\\', '/'));
}

/** A path by its name, and by where its links lead (C10): rules judge both. */
export function pathsMeant(path: string, folder: string, { project, realPath }: RuleContext): readonly string[] {
  const named = projectPath(path, folder, project);
  const real = realPath && !/[*?[{]/.test(path) ? projectPath(realPath(fullPath(path, folder)), '/', project) : named;
  return real === named ? [named] : [named, real];
}

/** Says why a path is protected, relative ones from `base`: by its name, by where it leads, or as Vise's own. */
export function protectionFrom(base: string, context: RuleContext): ProtectedPath {
  const { protectedPath, ownFolders = [], isLane = false, project, realPath } = context;
  const judged = new Map<string, string | undefined>();
  const judge = (path: string): string | undefined => {
    const reason = protectedPath(path);
    if (reason !== undefined) return reason;
    const full = fullPath(path, base);
    const real = realPath?.(full) ?? full;
    const isOwn = (one: string): boolean =>
      ownFolders.some((folder) => one === folder || one.startsWith(`${folder}/`)) &&
      !(isLane && one.startsWith(`${project}/`));
    if ([full, real].some(isOwn)) return 'Vise keeps its own settings and state here';
    return real === full ? undefined : protectedPath(projectPath(real, '/', project));
  };
  return (path) => {
    if (!judged.has(path)) judged.set(path, judge(path));
    return judged.get(path);
  };
}
