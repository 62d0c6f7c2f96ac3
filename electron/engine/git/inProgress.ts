import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const operations = ['rebase', 'am', 'cherry-pick', 'revert', 'merge', 'bisect'] as const;
export type Operation = (typeof operations)[number];

export interface InProgress {
  readonly operation: Operation;
  /** The branch that a rebase rewrites: HEAD is on none meanwhile. */
  readonly branch?: string;
}

/** What git keeps in its folder meanwhile, the surest first: a rebase that stops at a conflict leaves a CHERRY_PICK_HEAD too. */
const signs: readonly (readonly [name: string, operation: Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['MERGE_HEAD', 'merge'],
  ['BISECT_LOG', 'bisect'],
];

/** What a repository is in the middle of. Starts nothing. */
export function operationInProgress(gitFolder: string): InProgress | undefined {
  const sign = signs.find(([name]) => existsSync(join(gitFolder, name)));
  if (!sign) return undefined;
  const [name, operation] = sign;
  const branch = operation === 'rebase' ? branchNamedIn(join(gitFolder, name, 'head-name')) : undefined;
  return branch === undefined ? { operation } : { operation, branch };
}

export function inProgressLine({ operation, branch }: InProgress): string {
  return `${operation === 'am' ? 'an' : 'a'} ${operation}${branch === undefined ? '' : ` of ${branch}`} is in progress`;
}

/** How to go on and how to give up. git is told of no editor, since nobody could answer one. */
export function waysOut({ operation }: InProgress): string {
  if (operation === 'bisect') return 'say git bisect good or git bisect bad, or give up with git bisect reset';
  const goOn = operation === 'merge' ? 'commit' : `git -c core.editor=true ${operation} --continue`;
  return `resolve what is in conflict, stage it and go on with ${goOn}, or give up with git ${operation} --abort`;
}

/** The branch that a file of the repository names, in no other form than that of a name, whatever stands in it. */
export function branchNamedIn(file: string): string | undefined {
  const text = readShort(file);
  return /^(?:ref: )?refs\/heads\/([\w./-]{1,100})\s*$/.exec(text ?? '')?.[1];
}

const maxParents = 40;

/**
 * Where git keeps what it knows of a folder, and how many folders up its working tree begins. Follows the `.git` file of a
 * linked working tree or a submodule; looks only at names and starts nothing.
 */
export function gitFolderAround(folder: string): { readonly gitFolder: string; readonly up: number } | undefined {
  let at = folder;
  for (let up = 0; up < maxParents; up += 1) {
    const dotGit = join(at, '.git');
    const stats = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { gitFolder: dotGit, up };
    if (stats?.isFile()) {
      const named = /^gitdir: (.+?)\s*$/.exec(readShort(dotGit) ?? '')?.[1];
      // A name of another machine would be asked for over the network.
      return named === undefined || /^[\\/]{2}/.test(named) ? undefined : { gitFolder: resolve(at, named), up };
    }
    const parent = dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
  return undefined;
}

/** Names and paths are short; what is longer is none. */
const maxBytes = 4_096;

function readShort(file: string): string | undefined {
  try {
    return lstatSync(file).size > maxBytes ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
