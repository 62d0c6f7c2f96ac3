import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Repository } from '../../git/repository.ts';

/** The lines that git writes around two sides; `=======` alone underlines a heading. */
const marks = '^(<{7}|>{7})( |\r?$)';
/** Names of one start: no system takes a longer command line than it must. */
const namesAtOnce = 200;

/**
 * Refuses what would take marks of a conflict into the index or a commit: those of `names` in the working tree, and with
 * `staged` those that the index holds in other files. As many as the last commit has (in a text about conflicts) are no matter.
 */
export async function refuseMarkers(
  repository: Repository,
  names: readonly string[],
  staged: readonly string[],
): Promise<Result<never> | undefined> {
  const found = new Map<string, number>();
  for (const [where, files] of [
    [['--untracked'], names],
    [['--cached'], staged.filter((name) => !names.includes(name))],
  ] as const) {
    const counted = await countMarks(repository, where, files);
    if (!counted.ok) return counted;
    for (const [name, count] of counted.value) found.set(name, count);
  }
  if (found.size === 0) return undefined;
  const before = await countMarks(repository, ['HEAD'], [...found.keys()]);
  const known = before.ok ? before.value : new Map<string, number>(); // before the first commit there is no HEAD
  const files = [...found].filter(([name, count]) => count > (known.get(name) ?? 0)).map(([name]) => name);
  if (files.length === 0) return undefined;
  return fail(
    'CONFLICT',
    `There are marks of a conflict (<<<<<<<, >>>>>>>) in ${files.join(', ')}. Resolve them first. Where they are meant, stage and commit with run: git add, git commit.`,
    { files },
  );
}

async function countMarks(
  repository: Repository,
  where: readonly string[],
  names: readonly string[],
): Promise<Result<ReadonlyMap<string, number>>> {
  const counts = new Map<string, number>();
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const args = ['grep', '--count', '--text', '--no-textconv', '-z', '--no-recurse-submodules', '-E', '-e', marks];
    const some = names.slice(at, at + namesAtOnce);
    const read = await repository.read([...args, ...where, '--', ...some], { codes: [0, 1] });
    if (!read.ok) return read;
    for (const [, shown = '', count] of read.value.stdout.matchAll(/([^\0]+)\0(\d+)\n/g))
      counts.set(shown.replace(/^HEAD:/, ''), Number(count));
  }
  return ok(counts);
}
