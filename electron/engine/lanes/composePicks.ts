import type { LaneFile, LanePick, LaneRecord } from '../../../shared/model/lane.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type DiffRun, diffRuns } from '../../../shared/text/diffRuns.ts';
import { splitLines } from '../../../shared/text/lines.ts';
import { fitChange } from '../edits/fitVerdict.ts';
import { proposedHunks } from '../workspace/composeVerdict.ts';
import { runsBetween } from '../workspace/knownRuns.ts';
import { isText, type ProposedChange } from '../workspace/proposedChange.ts';
import { encodeText, hashOf, type TextFile } from '../workspace/textFile.ts';
import type { FileOfLane } from './laneFiles.ts';

/** A lane with its files, and what of them is wanted. */
export interface WantedLane {
  readonly record: LaneRecord;
  readonly files: readonly FileOfLane[];
  /** Absent: all. */
  readonly picks?: LanePick['files'];
}

export interface Conflict {
  readonly lane: string;
  readonly path: string;
  /** Absent: the file as a whole. */
  readonly hunk?: number;
  readonly why: string;
}

export interface Composed {
  /** On the home project as it is now, one a file. */
  readonly changes: readonly ProposedChange[];
  readonly conflicts: readonly Conflict[];
  /** Which files came from which lane. */
  readonly taken: readonly { readonly lane: string; readonly path: string }[];
}

/** What one file is so far, and from whom. */
interface Placed {
  change: ProposedChange;
  readonly lanes: string[];
}

/**
 * What is wanted of several lanes as one proposal: each hunk goes where its lines stand now, below it the picks that came
 * before it. What does not fit is left out and told with its reason. Errors: VALIDATION_ERROR (no such file or hunk).
 */
export function composePicks(lanes: readonly WantedLane[]): Result<Composed> {
  const placed = new Map<string, Placed>();
  const conflicts: Conflict[] = [];
  const taken: { readonly lane: string; readonly path: string }[] = [];
  for (const { record, files, picks } of lanes) {
    const lane = record.name;
    const wanted = picks ?? files.map(({ entry }) => ({ path: entry.path, hunks: undefined }));
    for (const { path, hunks } of wanted) {
      const file = files.find(({ entry }) => entry.path === path);
      if (!file) return fail('VALIDATION_ERROR', `The lane ${lane} does not change ${path}.`);
      const count = file.edit ? proposedHunks(file.edit).length : 0;
      const wrong = hunks?.find((hunk) => hunk >= count);
      if (wrong !== undefined)
        return fail('VALIDATION_ERROR', `${path} of the lane ${lane} has ${count} hunks; there is no hunk ${wrong}.`);
      if (file.isHome || hunks?.length === 0) continue;
      const before = placed.get(path);
      const met = place(file, hunks, before);
      for (const one of met.conflicts) conflicts.push({ lane, path, ...one });
      if (!met.change) continue;
      placed.set(path, { change: met.change, lanes: [...(before?.lanes ?? []), lane] });
      taken.push({ lane, path });
    }
  }
  const changes = [...placed.values()].map(({ change }) => change).filter(changesAnything);
  return ok({ changes, conflicts, taken });
}

interface Met {
  readonly change?: ProposedChange;
  readonly conflicts: readonly Pick<Conflict, 'hunk' | 'why'>[];
}

function place(file: FileOfLane, hunks: readonly number[] | undefined, before: Placed | undefined): Met {
  const { entry, edit, whole } = file;
  if (file.refused !== undefined) return { conflicts: [{ why: file.refused }] };
  if (!before && file.isUntouched && hunks === undefined) return { change: whole, conflicts: [] };
  if (before && hunks === undefined && sameContent(before.change, whole))
    return { change: before.change, conflicts: [] };
  const other = before ? `the pick of ${before.lanes.join(' and ')}` : 'the project since the lane began';
  const base = before ? textOf(before.change) : whole.before;
  // A file that is new on both sides has no lines that could say where the others belong.
  const isNewTwice = entry.status === 'added' && base !== null;
  if (entry.status === 'added' && base === null && !before) return { change: whole, conflicts: [] };
  if (!edit || base === null || !isText(base) || isNewTwice)
    return { conflicts: [{ why: wholeReason(file, base, other) }] };
  const began = textIn(edit);
  const runs = runsBetween(began, edit.after);
  const wanted = hunks ?? runs.map((_, index) => index);
  const moves = diffRuns(splitLines(began), splitLines(base.text));
  const clashing = wanted.filter((index) => insertsWhereOthersDid(runs[index], moves, edit, base.text));
  const fitted = fitChange(
    edit,
    base,
    wanted.filter((index) => !clashing.includes(index)),
  );
  if (!fitted) return { conflicts: [{ why: wholeReason(file, base, other) }] };
  const lost = [...clashing, ...fitted.lost].toSorted((one, two) => one - two);
  const conflicts = lost.map((hunk) => ({ hunk, why: `${linesChanged(file, hunk)} by ${other}` }));
  if (lost.length === wanted.length && wanted.length > 0) return { conflicts };
  return { change: { ...whole, ...before?.change, after: fitted.change.after, ...modeOf(whole) }, conflicts };
}

const modeOf = ({ executable }: ProposedChange): Partial<ProposedChange> =>
  executable === undefined ? {} : { executable };

/** Whose lines come first nobody can tell. The same lines twice are one insertion. */
function insertsWhereOthersDid(
  run: DiffRun | undefined,
  moves: readonly DiffRun[],
  { after }: ProposedChange,
  current: string,
): boolean {
  if (!run || run.aStart !== run.aEnd || after === null || !('text' in after)) return false;
  const brought = splitLines(after.text).slice(run.bStart, run.bEnd).join('');
  const lines = splitLines(current);
  return moves.some(
    ({ aStart, aEnd, bStart, bEnd }) =>
      aStart === run.aStart && aEnd === run.aStart && lines.slice(bStart, bEnd).join('') !== brought,
  );
}

function textIn({ before }: ProposedChange): string {
  return before && isText(before) ? before.text : '';
}

/** The file as the picks so far leave it. */
function textOf({ before, after }: ProposedChange): TextFile | null {
  if (after === null || !('text' in after)) return null;
  const { text, like } = after;
  const bytes = encodeText(text, like);
  const facts = { mode: before?.mode ?? 0o644, modifiedAt: '' };
  const { encoding, bom, eol } = like;
  return { text, encoding, bom, eol, hash: bytes.ok ? hashOf(bytes.value) : '', sizeBytes: text.length, ...facts };
}

function sameContent(a: ProposedChange, b: ProposedChange): boolean {
  if (a.after === null || b.after === null) return a.after === b.after;
  if ('text' in a.after && 'text' in b.after) return a.after.text === b.after.text;
  return 'bytes' in a.after && 'bytes' in b.after && hashOf(a.after.bytes) === hashOf(b.after.bytes);
}

function wholeReason({ entry }: FileOfLane, base: ProposedChange['before'], other: string): string {
  if (entry.status === 'deleted') return `it is deleted in the lane, and was changed by ${other}`;
  if (base === null) return `it is changed in the lane, and was deleted by ${other}`;
  if (entry.status === 'added') return `it is new in the lane, and was made with another content by ${other}`;
  return `it is no text, and was changed by ${other}`;
}

function linesChanged({ edit }: FileOfLane, index: number): string {
  const hunk = edit && proposedHunks(edit)[index];
  if (!hunk) return 'its lines were changed';
  const end = hunk.oldStart + Math.max(hunk.oldLines, 1) - 1;
  return end === hunk.oldStart ? `line ${hunk.oldStart} was changed` : `lines ${hunk.oldStart} to ${end} were changed`;
}

function changesAnything({ before, after, executable }: ProposedChange): boolean {
  if (executable !== undefined || before === null || after === null) return !(before === null && after === null);
  return 'text' in after
    ? !isText(before) || before.text !== after.text
    : !('bytes' in before) || before.hash !== hashOf(after.bytes);
}

/** A file for people and scripts, with what would keep it from going home. */
export function describeFile(file: FileOfLane, conflicts: readonly Conflict[]): LaneFile {
  const { path, status, additions, deletions } = file.entry;
  return {
    path,
    status,
    isHome: file.isHome,
    additions,
    deletions,
    hunks: file.edit ? hunkTexts(file.edit) : [],
    conflicts: conflicts.filter((one) => one.path === path).map(({ hunk, why }) => ({ hunk, why })),
  };
}

function hunkTexts(edit: ProposedChange): LaneFile['hunks'] {
  const old = textIn(edit).split('\n');
  const now = edit.after && 'text' in edit.after ? edit.after.text.split('\n') : [];
  return proposedHunks(edit).map(({ index, oldStart, oldLines, newStart, newLines }) => ({
    index,
    line: oldStart,
    removed: old.slice(oldStart - 1, oldStart - 1 + oldLines).join('\n'),
    added: now.slice(newStart - 1, newStart - 1 + newLines).join('\n'),
  }));
}
