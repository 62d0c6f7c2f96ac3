import type { ProposedChange } from '../workspace/proposedChange.ts';

/** A change that another proposal may lie on top of, or lie on: plain new content of one file that keeps its name. */
function isPlain({ oldPath, after, executable }: ProposedChange): boolean {
  return oldPath === undefined && after !== null && executable === undefined;
}

/** Whether `upper` can be shown as it will be once `lower` is written: they meet only in files whose content both change. */
export function canStack(lower: readonly ProposedChange[], upper: readonly ProposedChange[]): boolean {
  if (lower.length === 0 || upper.length === 0) return false;
  return lower.every((low) =>
    upper.every((up) =>
      pathsOf(low).every((a) =>
        pathsOf(up).every((b) => !isOnTheWay(a, b) && (a !== b || (isPlain(low) && isPlain(up)))),
      ),
    ),
  );
}

export function sharePath(lower: readonly ProposedChange[], upper: readonly ProposedChange[]): boolean {
  return lower.some((low) => upper.some((up) => pathsOf(low).some((path) => pathsOf(up).includes(path))));
}

function pathsOf({ path, oldPath }: ProposedChange): readonly string[] {
  return oldPath === undefined ? [path] : [path, oldPath];
}

function isOnTheWay(a: string, b: string): boolean {
  return a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
