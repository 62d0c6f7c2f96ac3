import { fail, type Result } from '../../../shared/result.ts';

/** The answer, or TIMEOUT or CANCELLED when that comes first; what was begun then ends unheard. */
export async function withLimit<T>(
  act: () => Promise<Result<T>>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Result<T>> {
  if (signal.aborted) return fail('CANCELLED', 'The call was stopped.');
  const ended = Promise.withResolvers<Result<T>>();
  const stop = (): void => ended.resolve(fail('CANCELLED', 'The call was stopped.'));
  const timer = setTimeout(
    () => ended.resolve(fail('TIMEOUT', `The browser has not answered within ${limitMs / 1000} seconds.`)),
    limitMs,
  );
  signal.addEventListener('abort', stop, { once: true });
  const work = act();
  work.catch(() => undefined); // heard by the race, or nobody waits for it any more
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
