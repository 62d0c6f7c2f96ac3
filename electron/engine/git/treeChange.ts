import { join } from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import type { Repository } from './repository.ts';

/** What one step of git makes of the working tree. */
export interface TreeChange {
  /** Absolute: they may lie around the workspace, in the same repository. */
  readonly paths: readonly string[];
  /** For people: a line a file, then the beginning of the patch. */
  readonly text: string;
}

const shownFiles = 200;
const maxPatchBytes = 60_000;
/** More files are not judged one by one. */
const maxPaths = 20_000;

/** From one tree to another, both as git names them. Errors: those of git. */
export async function treeChange(repository: Repository, from: string | null, to: string): Promise<Result<TreeChange>> {
  const start = from === null ? await emptyTree(repository) : ok(from);
  if (!start.ok) return start;
  const safe = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none'];
  const trees = [start.value, to, '--'];
  const named = await repository.read(['diff', '--name-status', '-z', ...safe, ...trees]);
  if (!named.ok) return named;
  const patch = await repository.read(['diff', ...safe, ...trees], { maxBytes: maxPatchBytes });
  if (!patch.ok) return patch;
  const fields = named.value.stdout.split('\0');
  const files = fields.flatMap((path, at) => (at % 2 === 1 ? [{ letter: fields[at - 1] ?? '', path }] : []));
  const top = join(repository.base, repository.prefix.replaceAll(/[^/]+/g, '..'));
  const more = files.length > shownFiles ? [`… and ${files.length - shownFiles} more`] : [];
  const cut = patch.value.truncated ? ['… (cut)'] : [];
  const lines = files.slice(0, shownFiles).map(({ letter, path }) => `${letter} ${path}`);
  return ok({
    // Where there are too many to judge, a place that is always asked stands for them.
    paths: files.length > maxPaths ? [join(top, '.git')] : files.map(({ path }) => join(top, path)),
    text: [`${files.length} files change`, ...lines, ...more, '', patch.value.stdout, ...cut].join('\n'),
  });
}

/** By git itself, since its name depends on the format of the repository. */
async function emptyTree(repository: Repository): Promise<Result<string>> {
  const made = await repository.read(['hash-object', '-t', 'tree', '--stdin']);
  return made.ok ? ok(made.value.stdout.trim()) : made;
}
