import { fitsWildcard } from '../../../shared/text/wildcard.ts';
import type { Repository } from './repository.ts';

/** As in the tool reference; each also protects what is below it (`release/1.2`). */
const standing = ['main', 'master', 'develop', 'development', 'production', 'release'];

/** The patterns in force: the standing ones, those of the settings, and the default branches of the remotes. */
export async function protectedPatterns(
  repository: Repository,
  fromSettings: readonly string[],
): Promise<readonly string[]> {
  const listed = await repository.read(['for-each-ref', '--format=%(symref:lstrip=3)', 'refs/remotes/*/HEAD']);
  const defaults = listed.ok ? listed.value.stdout.split('\n').filter((name) => name !== '') : [];
  return [...new Set([...standing.flatMap((name) => [name, `${name}/*`]), ...fromSettings, ...defaults])];
}

/** `*` stands for anything, `?` for one character, anything else for itself; case does not count. */
export function isProtected(branch: string, patterns: readonly string[]): boolean {
  const name = branch.toLowerCase();
  return patterns.some((pattern) => fitsWildcard(pattern.toLowerCase(), name));
}
