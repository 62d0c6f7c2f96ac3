import { realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';

/** What the sandbox has of its own, so that the machine's is not seen. */
const ownFolders = ['/tmp', '/run'];

/**
 * Real paths of folders with programs that lie below a folder which the sandbox has of its own, as the person's PATH names them: what
 * is on PATH is to be run. A `bin` comes with the folder around it, since its programs lead there. Folders that others than the
 * person and root can write are left out, and so are those of the project and those that hold it.
 */
export function pathTools(path: string, project: string): readonly string[] {
  const found = path.split(delimiter).flatMap((entry) => (entry.startsWith('/') ? (placeOf(entry) ?? []) : []));
  const isBeside = (folder: string): boolean => !within(folder, project) && !within(project, folder);
  return [...new Set(found)].filter(isBeside).filter((one, _, all) => all.every((o) => o === one || !within(one, o)));
}

function placeOf(entry: string): string | undefined {
  try {
    const folder = realpathSync(entry);
    const around = /^s?bin$/.test(basename(folder)) ? dirname(folder) : folder;
    const place = ownFolders.includes(around) ? folder : around;
    const isCovered = ownFolders.some((own) => place !== own && within(place, own));
    return isCovered && [folder, place].every(isOwn) ? place : undefined;
  } catch {
    return undefined; // it is not there
  }
}

const within = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

/** Nobody else can put a program there. */
function isOwn(folder: string): boolean {
  const { uid, gid, mode } = statSync(folder);
  const others = gid === process.getgid?.() ? 0o002 : 0o022; // many systems give each user a group
  return (uid === 0 || uid === process.getuid?.()) && (mode & others) === 0;
}
