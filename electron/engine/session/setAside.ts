import { lstatSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemAt, timelineLength } from '../../../shared/model/timeline.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';

/**
 * Renames a file of the project that a notice of this session names, to a name that nobody obeys. Nothing is lost, and the person
 * can rename it back. Errors: VALIDATION_ERROR (no notice names it), FILE_NOT_FOUND, FILE_WRITE_ERROR.
 */
export function setAside(
  { project, items }: Pick<SessionState, 'project' | 'items'>,
  path: string,
): Result<{ path: string }> {
  if (!isNamed(items, path)) return fail('VALIDATION_ERROR', `No notice of this session names ${path}.`);
  const full = join(project, path);
  if (lstatSync(full, { throwIfNoEntry: false }) === undefined)
    return fail('FILE_NOT_FOUND', `${path} is not there any more.`);
  const names = Array.from({ length: 100 }, (_, at) => `${path}.aside${at === 0 ? '' : `.${at + 1}`}`);
  const free = names.find((name) => lstatSync(join(project, name), { throwIfNoEntry: false }) === undefined);
  try {
    // A command may have led the folder elsewhere meanwhile.
    if (!`${realpathSync(dirname(full))}/`.startsWith(`${realpathSync(project)}/`) || free === undefined)
      return fail('FILE_WRITE_ERROR', `${path} cannot be set aside; look at it yourself.`);
    renameSync(full, join(project, free));
    return ok({ path: free });
  } catch (error) {
    return fail('FILE_WRITE_ERROR', `${path} cannot be set aside: ${describeError(error)}`);
  }
}

function isNamed(items: SessionState['items'], path: string): boolean {
  for (let at = timelineLength(items) - 1; at >= 0; at -= 1) {
    const item = itemAt(items, at);
    if (item?.kind === 'notice' && item.paths?.includes(path)) return true;
  }
  return false;
}
