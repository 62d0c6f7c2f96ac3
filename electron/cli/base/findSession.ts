import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

const maxNamed = 5;

/**
 * The session that is meant by an id, by the beginning of one, or by `last`: the newest of the project. Errors: SESSION_NOT_FOUND,
 * VALIDATION_ERROR (the beginning of several).
 */
export function findSession(list: readonly SessionSummary[], given: string, project?: string): Result<string> {
  if (given === 'last') {
    const own = list.filter((one) => project === undefined || one.project === project);
    const newest = own.reduce<SessionSummary | undefined>(
      (best, one) => (best === undefined || one.updatedAt > best.updatedAt ? one : best),
      undefined,
    );
    return newest
      ? ok(newest.id)
      : fail('SESSION_NOT_FOUND', `There is no session${project === undefined ? '' : ` of ${project}`} yet.`);
  }
  const fitting = given === '' ? [] : list.filter(({ id }) => id.startsWith(given));
  const [only] = fitting;
  // An id that is not in the list may still have a journal.
  if (!only || fitting.length === 1 || fitting.some(({ id }) => id === given))
    return ok(only && fitting.length === 1 ? only.id : given);
  const named = fitting.slice(0, maxNamed).map(({ id }) => id);
  const more = fitting.length > named.length ? ` and ${fitting.length - named.length} more` : '';
  return fail('VALIDATION_ERROR', `Several sessions begin with "${given}": ${named.join(', ')}${more}.`);
}
