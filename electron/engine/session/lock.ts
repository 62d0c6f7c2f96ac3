import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Disposable } from '../base/disposer.ts';
import { tryLock } from '../base/fileLock.ts';
import { describeError } from '../base/log.ts';

/** One engine writes a session at a time. Errors: UNAVAILABLE (open elsewhere), INTERNAL. */
export function lockSession(path: string): Result<Disposable> {
  try {
    const taken = tryLock(path);
    if (taken.held) return ok(taken.lock);
    return taken.pid === 0
      ? fail('UNAVAILABLE', 'This session is being opened by another Vise at this moment. Try again.')
      : fail(
          'UNAVAILABLE',
          `This session is open in another Vise (process ${taken.pid}). Close it there, or use it there.`,
        );
  } catch (error) {
    return fail('INTERNAL', `The session cannot be locked: ${describeError(error)}`);
  }
}
