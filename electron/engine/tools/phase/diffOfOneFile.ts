import { fail, ok, type Result } from '../../../../shared/result.ts';

/**
 * A unified diff with the headers of exactly this file: models leave them out or write other names. A diff that makes or
 * deletes the file says so with /dev/null. Errors: NO_VALID_DIFF, PATCH_FAILED (more than one file).
 */
export function diffOfOneFile(path: string, diff: string): Result<string> {
  const lines = diff.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  if (first < 0) return fail('NO_VALID_DIFF', 'The diff has no hunk: it needs at least one line that begins with @@');
  const head = lines.slice(0, first);
  const body = lines.slice(first);
  const another = body.findIndex(
    (line, index) =>
      line.startsWith('--- ') && (body[index + 1] ?? '').startsWith('+++ ') && (body[index + 2] ?? '').startsWith('@@'),
  );
  if (another >= 0) return fail('PATCH_FAILED', `The diff changes more than one file; apply_diff changes only ${path}`);
  const isNothing = (mark: string): boolean =>
    head.some((line) => line.startsWith(mark) && /^\S+\s+\/dev\/null\s*$/.test(line));
  const from = isNothing('--- ') ? '/dev/null' : `a/${path}`;
  const to = isNothing('+++ ') ? '/dev/null' : `b/${path}`;
  return ok(`--- ${from}\n+++ ${to}\n${body.join('\n')}${diff.endsWith('\n') ? '' : '\n'}`);
}
