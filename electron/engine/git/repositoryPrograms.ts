import { ok, type Result } from '../../../shared/result.ts';
import { type GitPlace, runGit } from './runGit.ts';

/** Programs that a repository's own configuration names and git would run. */
export interface RepositoryPrograms {
  /** Settings that switch the filters off; safe for reading, but files written through them would get other content. */
  readonly readingSettings: readonly string[];
  /** Keys that git would use when it writes. */
  readonly writingKeys: readonly string[];
}

const filterKey = /^filter\..*\.(?:clean|smudge|process)$/i;
const otherKey = /^(?:merge\..*\.driver|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand)$/i;

/** Looks only at what the repository itself sets (scopes local and worktree), files that it includes among them. */
export async function repositoryPrograms(place: GitPlace, signal?: AbortSignal): Promise<Result<RepositoryPrograms>> {
  const args = ['config', '--list', '--show-scope', '--name-only', '-z'];
  const listed = await runGit(place, args, { reads: true, ...(signal ? { signal } : {}) });
  if (!listed.ok) return listed;
  const fields = listed.value.stdout.split('\0');
  const own = fields.filter((_, at) => at % 2 === 1 && /^(?:local|worktree)$/.test(fields[at - 1] ?? ''));
  const filters = [...new Set(own.filter((key) => filterKey.test(key)))];
  const names = [...new Set(filters.map((key) => key.slice(0, key.lastIndexOf('.'))))];
  return ok({
    readingSettings: names.flatMap((name) => [
      `${name}.clean=`,
      `${name}.smudge=`,
      `${name}.process=`,
      `${name}.required=false`,
    ]),
    writingKeys: [...filters, ...new Set(own.filter((key) => otherKey.test(key)))],
  });
}
