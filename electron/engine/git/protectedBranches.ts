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
  return patterns.some((pattern) => wildcard(pattern.toLowerCase(), name));
}

/** Goes back only to the last star, so it is never slower than the product of the lengths (J5). */
function wildcard(pattern: string, name: string): boolean {
  let at = 0;
  let want = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const sign = pattern[want];
    if (sign === '*') {
      star = want;
      resume = at;
      want += 1;
    } else if (sign === '?' || sign === name[at]) {
      want += 1;
      at += 1;
    } else if (star >= 0) {
      want = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  }
  while (pattern[want] === '*') want += 1;
  return want === pattern.length;
}
