import type { BuildFinding } from '../../../shared/model/build.ts';
import type { AppliedChangeSet, ContentId } from '../../../shared/model/change.ts';
import { type DiffRun, diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import type { Contents } from '../workspace/contents.ts';
import type { Look } from '../workspace/look.ts';
import { decodeText, looksBinary } from '../workspace/textFile.ts';

type Lines = readonly string[];
export type WrittenPlace = NonNullable<BuildFinding['written']>;

export interface TraceDeps {
  readonly contents: Pick<Contents, 'get'>;
  readonly look: Pick<Look, 'readText'>;
  readonly changeSets: readonly AppliedChangeSet[];
}

/**
 * Says of lines of files as they are now which hunk of the session wrote them: through every later edit, the session's own
 * and anybody else's. Undefined for a line that somebody else wrote, or that was there before.
 */
export function createTracer({ contents, look, changeSets }: TraceDeps) {
  const stored = new Map<ContentId, Promise<Lines | undefined>>();
  const current = new Map<string, Promise<Lines | undefined>>();
  const linesOf = (id: ContentId): Promise<Lines | undefined> => {
    const known = stored.get(id) ?? contents.get(id).then((bytes) => (bytes.ok ? linesIn(bytes.value) : undefined));
    stored.set(id, known);
    return known;
  };
  const linesNow = (path: string): Promise<Lines | undefined> => {
    const known =
      current.get(path) ?? look.readText(path).then((file) => (file.ok ? split(file.value.text) : undefined));
    current.set(path, known);
    return known;
  };

  return async (file: string, line: number): Promise<WrittenPlace | undefined> => {
    let path = file;
    let text = await linesNow(file);
    let at = line - 1;
    for (const set of changeSets.toReversed()) {
      if (set.state !== 'applied') continue;
      const written = set.files.find((one) => one.path === path && one.verdict !== 'rejected');
      if (!written) continue;
      const after = written.after === null ? undefined : await linesOf(written.after);
      if (!text || !after) return undefined;
      const then = moved(diffRuns(after, text), at);
      if (then === undefined) return undefined;
      const before = written.before === null ? [] : await linesOf(written.before);
      if (!before) return undefined;
      const runs = diffRuns(before, after);
      const hunk = runs.findIndex((run) => holds(run, then));
      if (hunk !== -1) return { changeSet: set.id, path: written.path, hunk };
      at = moved(runs, then) ?? then;
      text = before;
      path = written.oldPath ?? written.path;
    }
    return undefined;
  };
}

/** The line before these edits; undefined for one that they wrote. */
function moved(runs: readonly DiffRun[], at: number): number | undefined {
  if (runs.some(({ bStart, bEnd }) => at >= bStart && at < bEnd)) return undefined;
  const above = runs.filter(({ bStart }) => bStart <= at);
  return at + above.reduce((sum, { aStart, aEnd, bStart, bEnd }) => sum + (aEnd - aStart) - (bEnd - bStart), 0);
}

/** Beside a passage that was taken out is what misses it. */
function holds({ bStart, bEnd }: DiffRun, at: number): boolean {
  return bStart === bEnd ? at === bStart || at === bStart - 1 : at >= bStart && at < bEnd;
}

const split = (text: string): Lines => splitLines(text).map(withoutLineEnd);

function linesIn(bytes: Uint8Array): Lines | undefined {
  const decoded = looksBinary(bytes) ? undefined : decodeText(bytes);
  return decoded?.ok ? split(decoded.value.text) : undefined;
}
