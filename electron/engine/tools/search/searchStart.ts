import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';

/** The file or folder in which a search begins. Errors: DIRECTORY_NOT_FOUND, NOT_A_FILE, those of `resolve`. */
export async function searchStart(look: Look, path: string): Promise<Result<ResolvedPath>> {
  const found = await look.resolve(path);
  if (!found.ok) return found;
  const { kind, relative } = found.value;
  if (kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `${relative} does not exist`);
  if (kind !== 'file' && kind !== 'directory') return fail('NOT_A_FILE', `${relative} is neither a file nor a folder`);
  return ok(found.value);
}
