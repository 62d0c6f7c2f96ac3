import { ok, type Result } from '../../../shared/result.ts';
import type { Repository } from './repository.ts';

/** The branch that HEAD names, also before its first commit; null when HEAD is detached. */
export async function currentBranch(repository: Repository): Promise<Result<string | null>> {
  const read = await repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] });
  return read.ok ? ok(read.value.code === 0 ? read.value.stdout.trimEnd() : null) : read;
}

/** The commit that a revision names, or null. The caller has made sure that it does not begin with `-`. */
export async function commitOf(repository: Repository, revision: string): Promise<Result<string | null>> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const read = await repository.read(args, { codes: [0, 1, 128] });
  return read.ok ? ok(read.value.code === 0 ? read.value.stdout.trim() : null) : read;
}
