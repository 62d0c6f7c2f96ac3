import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One thing that is built as a whole. */
export interface Part {
  readonly name: string;
  /** Sources that must exist. */
  readonly entries: readonly string[];
  /** Files and folders that it is made from; folders are walked, tests left out. */
  readonly inputs: readonly string[];
  /** Files below out/ that must exist afterwards. */
  readonly outputs: readonly string[];
}

const isTest = (name: string): boolean => /\.test\.tsx?$/.test(name);

/** All files below a path (a file or a folder), in a fixed order. */
function filesOf(root: string, path: string): readonly string[] {
  const info = statSync(join(root, path), { throwIfNoEntry: false });
  if (info === undefined) return [];
  if (!info.isDirectory()) return isTest(path) ? [] : [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(root, `${path}/${name}`));
}

/** One hash over the names and bytes of all that a part is made from. */
export function hashInputs(root: string, part: Part): string {
  const hash = createHash('sha256');
  for (const file of part.inputs.flatMap((input) => filesOf(root, input))) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

const stampOf = (root: string, part: Part): string => join(root, 'out', '.stamps', part.name);

/** Whether a part must be built: its inputs differ from those of the last build, or an output is missing. */
export function isStale(root: string, part: Part): boolean {
  if (part.outputs.some((output) => !existsSync(join(root, 'out', output)))) return true;
  const stamp = stampOf(root, part);
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashInputs(root, part);
}

/** Notes that a part was built from inputs of this hash, taken before the build began. */
export function markBuilt(root: string, part: Part, hash: string): void {
  mkdirSync(dirname(stampOf(root, part)), { recursive: true });
  writeFileSync(stampOf(root, part), hash);
}
