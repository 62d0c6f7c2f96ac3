import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type GitPlace, runGit } from './runGit.ts';

/** The hooks that git would run for a command (githooks). */
const hooksOf = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  switch: ['post-checkout'],
} as const;

export type HookedCommand = keyof typeof hooksOf;

/** The hooks of a command that the repository has, wherever it keeps them. `place` has its own setting of their folder. */
export async function presentHooks(place: GitPlace, command: HookedCommand): Promise<readonly string[]> {
  const asked = await runGit(place, ['rev-parse', '--git-path', 'hooks'], { reads: true });
  if (!asked.ok) return [];
  const folder = path.resolve(place.cwd, asked.value.stdout.trimEnd());
  const present = await Promise.all(
    hooksOf[command].map(async (name) => {
      const facts = await stat(path.join(folder, name)).catch(() => undefined);
      // git runs no hook that is not executable; Windows knows no such mode.
      return facts?.isFile() === true && (process.platform === 'win32' || (facts.mode & 0o111) !== 0);
    }),
  );
  return hooksOf[command].filter((_, at) => present[at]);
}
