import { createHash } from 'node:crypto';
import { type Dirent, statSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from './resolveBinary.ts';
import type { SpecSource } from './specTypes.ts';

export interface SpecFolder {
  readonly path: string;
  readonly source: SpecSource;
  /** For a project's folder: what it must not leave by links. */
  readonly inside?: string;
}

/** One version of a spec as it lies on disk. */
export interface SpecFile {
  readonly path: string;
  readonly version: string;
  readonly text: string;
}

/** A folder `<tool>` of spec files. */
export interface SpecCandidate {
  readonly tool: string;
  readonly folder: SpecFolder;
  readonly files: readonly SpecFile[];
  /** SHA-256 over its files: what the trust in one spec is bound to. Made when it is asked for: that loads `node:crypto`. */
  readonly hash: string;
}

export interface LoadError {
  readonly specPath: string;
  readonly message: string;
}

export interface Discovered {
  /** Strongest folder first, tools by name. */
  readonly candidates: readonly SpecCandidate[];
  readonly errors: readonly LoadError[];
  /** SHA-256 over all files of the project's folder; undefined when it has none. */
  readonly projectHash?: string;
}

const maxFileBytes = 1024 * 1024;
const maxTools = 500;
const maxVersions = 50;

/** Reads the spec files of the folders, each once, so that what is trusted by its hash is what is loaded. Starts nothing. */
export async function discoverSpecs(folders: readonly SpecFolder[]): Promise<Discovered> {
  const errors: LoadError[] = [];
  const found = await Promise.all(folders.map((folder) => readFolder(folder, errors)));
  const candidates = found.flat();
  const own = candidates.filter(({ folder }) => folder.source === 'project');
  return { candidates, errors, ...(own.length > 0 ? { projectHash: hashOfAll(own) } : {}) };
}

async function readFolder(folder: SpecFolder, errors: LoadError[]): Promise<readonly SpecCandidate[]> {
  const entries = await listFolder(folder.path);
  if (entries.length === 0) return [];
  if (folder.inside !== undefined && !(await staysInside(folder.path, folder.inside))) {
    errors.push({ specPath: folder.path, message: 'A link leads out of the project; its specs are not read' });
    return [];
  }
  const tools = entries.filter((entry) => isFolder(folder, entry)).map(({ name }) => name);
  if (tools.length > maxTools)
    errors.push({ specPath: folder.path, message: `Only the first ${maxTools} tools are read` });
  const candidates = await Promise.all(
    tools.slice(0, maxTools).map(async (tool): Promise<SpecCandidate> => {
      const files = await readVersions(join(folder.path, tool), folder, errors);
      return {
        tool,
        folder,
        files,
        get hash() {
          return hashOf(files);
        },
      };
    }),
  );
  return candidates.filter(({ files }) => files.length > 0);
}

function hashOfAll(candidates: readonly SpecCandidate[]): string {
  const hash = createHash('sha256');
  for (const { tool, hash: own } of candidates) hash.update(JSON.stringify([tool, own]));
  return hash.digest('hex');
}

function hashOf(files: readonly SpecFile[]): string {
  const hash = createHash('sha256');
  for (const { version, text } of files) hash.update(JSON.stringify([version, text]));
  return hash.digest('hex');
}

async function readVersions(path: string, folder: SpecFolder, errors: LoadError[]): Promise<readonly SpecFile[]> {
  const names = (await listFolder(path))
    .filter(
      (entry) =>
        entry.name.endsWith('.json') && (entry.isFile() || (folder.source !== 'project' && entry.isSymbolicLink())),
    )
    .map(({ name }) => name)
    .slice(0, maxVersions);
  const files = await Promise.all(
    names.map(async (name): Promise<SpecFile | undefined> => {
      const file = join(path, name);
      try {
        if ((await stat(file)).size > maxFileBytes) {
          errors.push({ specPath: file, message: 'The file is larger than 1 MiB' });
          return undefined;
        }
        return { path: file, version: name.slice(0, -'.json'.length), text: await readFile(file, 'utf8') };
      } catch {
        errors.push({ specPath: file, message: 'The file cannot be read' });
        return undefined;
      }
    }),
  );
  return files.filter((file) => file !== undefined);
}

/** A missing folder is like an empty one. */
async function listFolder(path: string): Promise<readonly Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Links are followed in the user's own folders only: a project's trust does not cover what a link leads to. */
function isFolder(folder: SpecFolder, entry: Dirent): boolean {
  if (entry.isDirectory()) return true;
  if (folder.source === 'project' || !entry.isSymbolicLink()) return false;
  return statSync(join(folder.path, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function staysInside(path: string, root: string): Promise<boolean> {
  try {
    return isInside(await realpath(path), await realpath(root));
  } catch {
    return false;
  }
}
