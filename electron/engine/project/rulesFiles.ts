import { statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

export interface RulesFile {
  /** Relative to the project, with forward slashes; of the person's own file its name alone. */
  readonly path: string;
  readonly text: string;
  /** Beside the user's configuration, not of the project. */
  readonly isOwn?: true;
}

/** The first of these that says something counts: other programs' names only where there is no AGENTS.md. */
const nestedNames = ['AGENTS.md', 'CLAUDE.md'] as const;
const rootNames = [...nestedNames, '.github/copilot-instructions.md'] as const;
const projectName = 'PROJECT.md';
const maxBytes = 64 * 1024;
const maxNested = 20;

/**
 * Standing words to an agent: the person's own (AGENTS.md in the folder `own`), those of the project at its root, PROJECT.md,
 * and those of the folders that are worked in. Read again only when a file's time or size changes, so that a request costs a `stat` each. Blank and
 * undecodable files count as absent, and so does a link that leads out of the project.
 */
export function createRulesFiles(
  root: string,
  own?: string,
): (folders?: readonly string[]) => Promise<readonly RulesFile[]> {
  const known = new Map<string, { readonly stamp: string; readonly file: RulesFile | undefined }>();
  const look = async (folder: string, path: string): Promise<RulesFile | undefined> => {
    const place = join(folder, path);
    const info = statOf(place);
    if (!info?.isFile()) {
      known.delete(place);
      return undefined;
    }
    const stamp = `${info.mtimeMs} ${info.ctimeMs} ${info.size}`;
    const before = known.get(place);
    if (before?.stamp === stamp) return before.file;
    const file = (await isInside(folder, place)) ? await readRules(place, path) : undefined;
    known.set(place, { stamp, file });
    return file;
  };
  const firstOf = async (paths: readonly string[]): Promise<RulesFile | undefined> => {
    for (const path of paths) {
      const file = await look(root, path);
      if (file) return file;
    }
    return undefined;
  };
  return async (folders = []) => {
    const found: RulesFile[] = [];
    const mine = own === undefined ? undefined : await look(own, nestedNames[0]);
    if (mine) found.push({ ...mine, isOwn: true });
    for (const file of [await firstOf(rootNames), await look(root, projectName)]) if (file) found.push(file);
    let nested = 0;
    for (const folder of folders) {
      if (nested >= maxNested) break;
      const file = await firstOf(nestedNames.map((name) => `${folder}/${name}`));
      if (!file) continue;
      found.push(file);
      nested += 1;
    }
    return found;
  };
}

/**
 * At once, not through the thread pool: most of these files do not exist, and a hundred answers to wait for one after the
 * other cost a request more than all else together (10 ms; at once 0.3 ms).
 */
function statOf(place: string): ReturnType<typeof statSync> {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined; // no permission, a circle of links
  }
}

async function isInside(root: string, place: string): Promise<boolean> {
  const [top, real] = await Promise.all([realpath(root), realpath(place)]).catch(() => [root, '']);
  const way = relative(top, real);
  return real !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}

async function readRules(place: string, path: string): Promise<RulesFile | undefined> {
  const bytes = await readFile(place).catch(() => undefined);
  if (!bytes) return undefined;
  try {
    // `stream` keeps a character that the limit cuts in two from counting as an error.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
    if (text.trim() === '') return undefined;
    return { path, text: bytes.length > maxBytes ? `${text}\n(cut: only the first 64 KiB are read)` : text };
  } catch {
    return undefined;
  }
}
