import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '..', '..', 'node_modules');

export interface PackageTree {
  /** A folder of its own in the temporary folder, real path. */
  readonly folder: string;
  /** The copied files, below the folder. */
  readonly files: readonly string[];
  remove(): void;
}

/**
 * A project made of files of the installed packages. Its folders get a mark before their names: `dist` and `node_modules`
 * would be left out of every search, and then two programs would not look at the same files.
 */
export function copyPackages(wanted: {
  readonly count: number;
  readonly maxFileBytes: number;
  readonly accepts?: (name: string) => boolean;
}): PackageTree {
  const { count, maxFileBytes, accepts = () => true } = wanted;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bench-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const files: string[] = [];
  const visit = (from: string, to: string): void => {
    mkdirSync(join(folder, to), { recursive: true });
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const { name } = entry;
      if (files.length >= count) return;
      if (name.startsWith('.')) continue;
      const source = join(from, name);
      if (entry.isDirectory()) visit(source, join(to, `_${name}`));
      else if (entry.isFile() && accepts(name) && statSync(source).size <= maxFileBytes) {
        copyFileSync(source, join(folder, to, name));
        files.push(join(to, name));
      }
    }
  };
  try {
    // Fewer are installed on some systems: then they are taken again.
    for (let round = 0; files.length < count && round < 4; round += 1) visit(packages, `round${round}`);
    if (files.length < count) throw new Error(`Only ${files.length} files were found.`);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, files, remove };
}
