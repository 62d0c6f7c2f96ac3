import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, type Result } from '../../../../shared/result.ts';
import type { Repository } from '../../git/repository.ts';

/** Larger files are not looked through. */
const maxBytes = 4 * 1024 * 1024;

/** All three marks in their order, as git writes them around two sides. */
const inText = /^<{7} [^\n]*\n(?:[^\n]*\n)*?={7}\r?\n(?:[^\n]*\n)*?>{7} /m;
const added = /^\+<{7} [^\n]*\n(?:[^\n]*\n)*?\+={7}\r?\n(?:[^\n]*\n)*?\+>{7} /m;

/** Refuses what would take the marks of an unresolved conflict into the index or a commit: `names` in the working tree, and with `index` what is staged. */
export async function refuseMarkers(
  repository: Repository,
  names: readonly string[],
  index: boolean,
): Promise<Result<never> | undefined> {
  const files: string[] = [];
  for (const name of names) {
    const place = join(repository.base, name);
    const stats = await lstat(place).catch(() => undefined);
    if (!stats?.isFile() || stats.size > maxBytes) continue;
    const text = await readFile(place, 'latin1').catch(() => '');
    if (inText.test(text)) files.push(name);
  }
  if (index) {
    const args = ['diff', '--cached', '--no-color', '--no-ext-diff', '--no-textconv', '--relative', '--dst-prefix=b/'];
    const read = await repository.read([...args, '--', '.'], { maxBytes });
    if (!read.ok) return read;
    for (const section of read.value.stdout.split(/^diff --git /m)) {
      const name = /^\+\+\+ "?b\/(.*?)"?$/m.exec(section)?.[1];
      // What stands in the working tree is what is staged in its place.
      if (name !== undefined && !names.includes(name) && added.test(section)) files.push(name);
    }
  }
  if (files.length === 0) return undefined;
  return fail(
    'CONFLICT',
    `There are marks of a conflict (<<<<<<<, >>>>>>>) in ${files.join(', ')}. Resolve them first.`,
    { files },
  );
}
