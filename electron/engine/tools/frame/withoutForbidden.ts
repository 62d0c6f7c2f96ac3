import { posix } from 'node:path';
import type { Look } from '../../workspace/look.ts';

/**
 * What a program printed, without the lines that name a file which a rule forbids to read, and without what stands below such a
 * line as part of it: an excerpt, or its issues. `folder` is where the program ran.
 */
export function withoutForbidden(text: string, look: Look, folder: string): string {
  if (!look.hasForbidden) return text;
  const cwd = posix.resolve(look.root, folder);
  let isBelow = false;
  const kept = text.split('\n').filter((line) => {
    if (isBelow && /^(?:\s|\d+[\s:|-]|[|>+@-])/.test(line)) return false;
    isBelow = false;
    for (const [word] of line.matchAll(/[^\s:'"`()[\]{}|,;<>=]+/g))
      if (/[./]/.test(word)) isBelow = look.leaveOut(posix.relative(look.root, posix.resolve(cwd, word))) || isBelow;
    return !isBelow;
  });
  return kept.join('\n');
}
