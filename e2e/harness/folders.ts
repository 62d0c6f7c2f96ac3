import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their path below a folder. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** The project that the built product lies in. */
export const productRoot = dirname(dirname(import.meta.dirname));

/** An empty folder of its own, by its real path. Whoever makes it removes it (`removeFolder`). */
export function makeFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `vise-e2e-${name}-`)));
}

/** Removes a folder with all that is in it; retries while something that is ending still writes there. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** All files below a folder as text, byte for byte (`latin1`) where asked, without those below `without`. */
export function readTree(
  folder: string,
  {
    encoding = 'utf8',
    without = ['node_modules', '.git'],
  }: { readonly encoding?: BufferEncoding; readonly without?: readonly string[] } = {},
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (without.includes(entry.name)) continue;
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const text = readIfThere(join(folder, path), encoding);
        if (text !== undefined) found[path] = text;
      }
    }
  };
  if (existsSync(folder)) walk('');
  return found;
}

/** A file that something writes beside the real one may be gone again by the time it is read. */
function readIfThere(path: string, encoding: BufferEncoding): string | undefined {
  try {
    return readFileSync(path, encoding);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
