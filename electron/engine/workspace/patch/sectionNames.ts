import { fail, ok, type Result } from '../../../../shared/result.ts';
import { looksAbsolute } from '../pathRules.ts';
import { type PatchFile, pathOf } from './patch.ts';
import { patchFailed } from './patchProblem.ts';
import type { PatchReader } from './patchTable.ts';

export interface PatchOptions {
  /** The folder of the project that names are relative to (default: the project itself). */
  readonly inFolder?: string;
  /** The real folder of the project: absolute names below it are names in it. */
  readonly root?: string;
}

/**
 * `diff -ru OLD NEW` names every file below two folders that the project does not have. They go where all sections agree
 * about them and no file is there under its whole name.
 */
export async function withoutOwnFolders(
  files: readonly PatchFile[],
  readFile: PatchReader,
  { inFolder = '' }: PatchOptions,
): Promise<readonly PatchFile[]> {
  const [first] = files;
  const folders = first?.plainNames && ownFolders(first.plainNames);
  if (!folders || files.some(({ plainNames }) => !plainNames || !sameFolders(plainNames, folders))) return files;
  for (const { plainNames } of files)
    for (const name of [plainNames?.oldName, plainNames?.newName]) {
      const there = name === undefined ? ok(null) : await readFile([inFolder, name].filter((part) => part).join('/'));
      if (!there.ok || there.value) return files;
    }
  const below = (name: string | null) => (name === null ? null : name.slice(name.indexOf('/') + 1));
  return files.map((file) => ({ ...file, oldPath: below(file.oldPath), newPath: below(file.newPath) }));
}

type Names = NonNullable<PatchFile['plainNames']>;

function ownFolders({ oldName, newName }: Names): Names | undefined {
  const split = (name: string) => [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)];
  const [[oldFolder = '', oldRest], [newFolder = '', newRest]] = [split(oldName), split(newName)];
  if (!oldFolder || !newFolder || oldFolder === newFolder || oldRest !== newRest) return undefined;
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(`${oldName}/${newName}`)) return undefined;
  return { oldName: oldFolder, newName: newFolder };
}

function sameFolders(names: Names, folders: Names): boolean {
  const own = ownFolders(names);
  return own?.oldName === folders.oldName && own.newName === folders.newName;
}

/** Names that leave the project on any system are refused on every one (P4), before anything is read. */
export function withNames(file: PatchFile, { inFolder, root }: PatchOptions): Result<PatchFile> {
  const mode = [file.oldMode, file.newMode].find((one) => one === '120000' || one === '160000');
  if (mode !== undefined)
    return patchFailed([{ path: pathOf(file), reason: mode === '120000' ? 'symlink' : 'submodule' }]);
  if (file.isBinary)
    return fail(
      'BINARY_FILE',
      `${pathOf(file)} is changed by a binary patch. Write the patch to a file and let git apply it: git apply FILE`,
      { path: pathOf(file) },
    );
  for (const name of [file.oldPath, file.newPath]) {
    if (name === null) continue;
    if (name === '') return patchFailed([{ path: name, reason: 'malformed' }]);
    if ((looksAbsolute(name) && belowRoot(name, root) === undefined) || name.split(/[\\/]/).includes('..')) {
      return fail('PATH_TRAVERSAL_DETECTED', `The patch names "${name}", which is not a path inside the project`, {
        path: name,
      });
    }
  }
  const placed = (name: string | null) => {
    if (name === null) return null;
    const below = belowRoot(name, root) ?? `${inFolder ?? ''}/${name}`;
    return below
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .join('/');
  };
  return ok({ ...file, oldPath: placed(file.oldPath), newPath: placed(file.newPath) });
}

function belowRoot(name: string, root: string | undefined): string | undefined {
  const folder = root?.replaceAll('\\', '/');
  return folder !== undefined && name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : undefined;
}
