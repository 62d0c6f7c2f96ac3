import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import {
  createIgnoreScope,
  dependencyFolders,
  excludeFile,
  type IgnoreScope,
  ruleFileNames,
} from '../../workspace/ignore.ts';
import type { SearchPlace } from './searchScope.ts';

/** Names of rule files that ripgrep does not know. */
const ownRuleFiles = ruleFileNames.filter((name) => name !== '.gitignore');

const maxRuleFileBytes = 1024 * 1024;

/** How ripgrep is told what a walk leaves out, and what it cannot be told. */
export interface IgnoreRules {
  readonly args: readonly string[];
  /** True for a file (path below the root, forward slashes) that ripgrep reports although it is ignored or forbidden. */
  hides(file: string): boolean;
}

/**
 * The ignore set of a walk that begins at `below` (a path below `root`, `.` for the root itself), for ripgrep started in `root`.
 * Ripgrep applies .gitignore files by itself; the others are given to it where it can take them and checked afterwards
 * where it cannot. A rule of .viseignore brings back what .gitignore hides (`!generated/`) when it stands in the root, or
 * between it and `below`: then ripgrep lists everything. It is not looked for further below, where it would be rare.
 */
export function ignoreRules({ root, below: start, isForbidden }: Omit<SearchPlace, 'fileOf'>): IgnoreRules {
  const scopes = new Map<string, IgnoreScope>();
  const exact = new Map<string, boolean>();
  const rootNames = [excludeFile, ...ruleFileNames];
  const rootRules = rootNames.map((name) => ({ name, text: readRules(path.join(root, name)) ?? '' }));
  const takenBack = dependencyFolders.filter((name) =>
    rootRules.some(({ text }) => text.split('\n').some((line) => line.startsWith('!') && line.includes(name))),
  );
  const above = start === '.' ? [] : start.split('/').map((_, index, names) => names.slice(0, index).join('/'));
  const bringsBack = ['', ...above.slice(1), start === '.' ? '' : start].some((folder) =>
    ownRuleFiles.some((name) => /^!/m.test(readRules(path.join(root, folder, name)) ?? '')),
  );
  const checksAll =
    bringsBack ||
    takenBack.length > 0 ||
    above.slice(1).some((folder) => existsSync(path.join(root, folder, '.gitignore')));

  const scopeAt = (folder: string): IgnoreScope => {
    const known = scopes.get(folder);
    if (known) return known;
    const rules = (folder === '' ? rootNames : ruleFileNames).flatMap(
      (name) => readRules(path.join(root, folder, name)) ?? [],
    );
    const made =
      folder === '' ? createIgnoreScope(rules) : scopeAt(parentOf(folder)).enter(path.posix.basename(folder), rules);
    scopes.set(folder, made);
    return made;
  };

  /** Whether rules that ripgrep does not know are in force there: two questions to the system a folder, and mostly a no. */
  const isExactAt = (folder: string): boolean => {
    const known = exact.get(folder);
    if (known !== undefined) return known;
    const answer =
      (folder === '' ? checksAll : isExactAt(parentOf(folder))) ||
      ownRuleFiles.some((name) => existsSync(path.join(root, folder, name)));
    exact.set(folder, answer);
    return answer;
  };

  const hidden = new Map<string, boolean>();
  const startDepth = start === '.' ? 0 : start.split('/').length;
  const hidesFolder = (folder: string): boolean => {
    // What the walk was told to begin with is walked, whatever the rules say about it.
    if (folder === '' || folder.split('/').length <= startDepth) return false;
    const known = hidden.get(folder);
    if (known !== undefined) return known;
    const parent = parentOf(folder);
    const answer = hidesFolder(parent) || scopeAt(parent).ignores(path.posix.basename(folder), true);
    hidden.set(folder, answer);
    return answer;
  };

  return {
    args: [
      ...alwaysArgs,
      ...dependencyFolders.filter((name) => !takenBack.includes(name)).flatMap((name) => ['-g', `!${name}`]),
      ...(bringsBack ? ['--no-ignore-vcs'] : []),
      ...rootRules
        .filter(({ name, text }) => !bringsBack && text !== '' && (name !== '.gitignore' || start !== '.'))
        .flatMap(({ name }) => ['--ignore-file', name]),
    ],
    hides(file) {
      if (isForbidden(file)) return true;
      const folder = parentOf(file);
      if (!isExactAt(folder)) return false;
      return hidesFolder(folder) || scopeAt(folder).ignores(path.posix.basename(file), false);
    },
  };
}

/** The same on every machine: no configuration, no rules from outside the project, links never followed. */
const alwaysArgs = [
  '--no-config',
  '--no-messages',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--no-require-git',
  '--no-follow',
  '--hidden',
  '--iglob',
  '!.git',
  '--iglob',
  '!.vise',
];

function parentOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at === -1 ? '' : name.slice(0, at);
}

/** The text of a regular file of bearable size; a link is not followed and a pipe not waited for (P11). */
export function readRules(file: string): string | undefined {
  try {
    if (!lstatSync(file).isFile()) return undefined;
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const { size } = fstatSync(handle);
      if (size > maxRuleFileBytes) return undefined;
      const buffer = Buffer.alloc(size);
      return buffer.toString('utf8', 0, readSync(handle, buffer, 0, size, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
