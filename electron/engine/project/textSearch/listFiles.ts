import { ok, type Result } from '../../../../shared/result.ts';
import { compareBytes } from '../../workspace/byteOrder.ts';
import type { Look } from '../../workspace/look.ts';
import type { ResolvedPath } from '../../workspace/sandbox.ts';
import { ignoreRules } from './ignoreRules.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { placeOf, relativeName, typeArgs } from './searchScope.ts';

/** More files than this are not looked at (J5). */
const maxFiles = 200_000;

/**
 * Calls `take` with each file below a folder that a walk would not leave out, in no order: `name` is below the root,
 * `isHidden()` asks the rules that are costly to ask. `glob` only lets the walk skip names early; what it means is for `take`
 * to decide. Links are never entered. Errors: CANCELLED, UNAVAILABLE.
 */
export async function listFiles(
  look: Look,
  start: ResolvedPath,
  options: {
    readonly glob?: string;
    readonly signal: AbortSignal;
    readonly take: (name: string, isHidden: () => boolean) => void;
  },
): Promise<Result<{ readonly isComplete: boolean }>> {
  const { glob, signal, take } = options;
  const place = placeOf(look, start);
  const binary = await findRipgrep();
  if (binary === undefined) return walkFiles(look, start, place.fileOf('').length, signal, take);
  const rules = ignoreRules(place);
  let rest = '';
  let count = 0;
  const decoder = new TextDecoder();
  const ended = await runRipgrep(binary, {
    args: ['--files', '--null', ...rules.args, ...typeArgs(glob), '--', `./${place.below === '.' ? '' : place.below}`],
    cwd: place.root,
    signal,
    take: (chunk) => {
      const names = (rest + decoder.decode(chunk, { stream: true })).split('\0');
      rest = names.pop() ?? '';
      for (const given of names) {
        count += 1;
        if (count > maxFiles) return false;
        const name = relativeName(given);
        if (look.leaveOut(place.fileOf(name))) continue;
        take(name, () => rules.hides(name));
      }
      return true;
    },
  });
  return ended.ok ? ok({ isComplete: count <= maxFiles }) : ended;
}

/** Counts what a search by content leaves out below a place: by names, since a count of hits would tell of the content. */
export async function countForbidden(look: Look, start: ResolvedPath, signal: AbortSignal): Promise<void> {
  if (look.hasForbidden && start.kind === 'directory') await listFiles(look, start, { signal, take: () => undefined });
}

/** The same without ripgrep. */
export async function walkFiles(
  look: Look,
  start: ResolvedPath,
  prefix: number,
  signal: AbortSignal,
  take: (name: string, isHidden: () => boolean) => void,
): Promise<Result<{ readonly isComplete: boolean }>> {
  const walked = await look.walk(start.relative, { signal, maxEntries: maxFiles });
  if (!walked.ok) return walked;
  let count = 0;
  for await (const { path, type } of walked.value) {
    count += 1;
    if (type === 'file') take(path.slice(prefix), () => false);
  }
  return ok({ isComplete: count < maxFiles });
}

/** Keeps the first names in byte order, whatever order they come in, in memory bounded by the limit. */
export function firstNames(limit: number) {
  let kept: string[] = [];
  let last: string | undefined;
  let isTruncated = false;
  const cut = () => {
    kept = kept.sort(compareBytes).slice(0, limit);
    last = kept[limit - 1];
  };
  return {
    /** False when nothing would change if the name were added. */
    wants: (name: string) => !isTruncated || last === undefined || compareBytes(name, last) < 0,
    add(name: string): void {
      if (last !== undefined && compareBytes(name, last) > 0) {
        isTruncated = true;
        return;
      }
      kept.push(name);
      if (kept.length < 2 * limit) return;
      isTruncated = true;
      cut();
    },
    names(): readonly string[] {
      isTruncated ||= kept.length > limit;
      cut();
      return kept;
    },
    isTruncated: () => isTruncated,
  };
}
