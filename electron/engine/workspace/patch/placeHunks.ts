import type { DiffRun } from '../../../../shared/text/diffRuns.ts';
import { lineEndOf, withoutLineEnd } from '../../../../shared/text/lines.ts';
import { bare, createFinder, type Finder, matches, nearest } from './lineFinder.ts';
import type { PatchHunk } from './patch.ts';
import { touchedBy } from './patchRuns.ts';
import { createProver, type ProvenPlace, type Unproven } from './provePlace.ts';

export interface Placement {
  /** 0-based number of the hunk. */
  readonly index: number;
  /** 1-based line of the result where the hunk's new side begins. */
  readonly line: number;
  /** Lines between the stated place (shifted by the earlier hunks) and the place found. */
  readonly offset: number;
  /** Outer context lines that were ignored: 0, 1 or 2. */
  readonly fuzz: number;
  /** How the hunk was read, when it could not be taken as written. */
  readonly note?: string;
}

export interface PlaceFailure {
  readonly hunk: number;
  readonly reason: 'not-found' | 'already-applied' | 'ambiguous' | 'malformed';
  /** The lines the hunk wants to find, and the lines at its place. */
  readonly expected: string;
  readonly actual: string;
  /** 1-based lines of the places between which nothing decides. */
  readonly candidates?: readonly number[];
  readonly message?: string;
}

export type Placed =
  | {
      readonly ok: true;
      readonly lines: readonly string[];
      readonly placements: readonly Placement[];
      /** Where the file was touched, when that is known. */
      readonly touched?: readonly DiffRun[];
    }
  | { readonly ok: false; readonly failures: readonly PlaceFailure[] };

/**
 * Puts hunks into a file given as lines with their ends. Each hunk goes to its stated line, else to the nearest place where
 * all of its old lines stand (of two equally near ones the one further down, as `git apply` does), else the same with up to
 * two outer context lines ignored. A hunk that fits nowhere as it is written, or whose header is wrong, goes where the file
 * proves exactly one place for it. Hunks may be written out of order. A CR before the LF is ignored where the bytes do not match; then new lines end as `eol`.
 * Pure; all hunks that do not fit are told.
 */
export function placeHunks(file: readonly string[], hunks: readonly PatchHunk[], eol: string): Placed {
  const order = hunks.map((hunk, index) => ({ hunk, index }));
  const isNumbered = hunks.every((hunk) => !hunk.doubt);
  const isSorted = hunks.every((hunk, index) => hunk.oldStart >= (hunks[index - 1]?.oldStart ?? 0));
  // A model may write a later place first. Where numbers can be trusted they say the order.
  if (isNumbered && !isSorted) order.sort((a, b) => a.hunk.oldStart - b.hunk.oldStart);
  const placed = placeInOrder(file, order, eol);
  if (placed.ok || isNumbered || hunks.length < 2) return placed;
  const alone = order.map((one) => ({ ...one, at: placeAlone(file, one.hunk, eol) }));
  if (alone.some(({ at }) => at === undefined)) return placed;
  const again = placeInOrder(
    file,
    alone.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)),
    eol,
  );
  return again.ok ? again : placed;
}

/** The line at which a hunk goes into the file as if it were the only one. */
function placeAlone(file: readonly string[], hunk: PatchHunk, eol: string): number | undefined {
  const placed = placeInOrder(file, [{ hunk, index: 0 }], eol);
  return placed.ok ? placed.placements[0]?.line : undefined;
}

interface NumberedHunk {
  readonly hunk: PatchHunk;
  readonly index: number;
}

function placeInOrder(file: readonly string[], hunks: readonly NumberedHunk[], eol: string): Placed {
  const finder = createFinder(file);
  const prover = createProver(finder.keys);
  const result: string[] = [];
  const placements: Placement[] = [];
  const failures: PlaceFailure[] = [];
  const touched: DiffRun[] = [];
  let isAsWritten = true;
  let taken = 0;
  let shift = 0;
  for (const { index, hunk } of hunks) {
    const sides = sidesOf(hunk);
    const stated = statedPlace(hunk) + shift;
    const found = hunk.doubt ? undefined : findPlace(finder, sides, hunk, stated, taken);
    const proof = found ?? prover.prove(hunk, taken, () => isApplied(finder, sides, stated));
    if ('ok' in proof && !proof.ok) {
      failures.push(failureOf(finder, sides, hunk, index, stated, proof));
      continue;
    }
    for (let line = taken; line < proof.at; line += 1) result.push(file[line] ?? '');
    if ('ok' in proof) {
      const { at } = proof;
      const hasNoNumbers = hunk.doubt?.hasNoNumbers === true;
      const offset = hasNoNumbers ? 0 : at - stated;
      placements.push({ index, line: result.length + 1, offset, fuzz: 0, note: proof.note });
      isAsWritten = false;
      writeProven(result, file, hunk, sides, proof, eol);
      taken = at + sides.old.length;
      if (!hasNoNumbers) shift = at - statedPlace(hunk);
      continue;
    }
    const { at, fuzz, skip, drop } = proof;
    // Ignored context stays whatever the file has there, so it is no longer part of the hunk.
    const old = sides.old.slice(skip, sides.old.length - drop);
    const isExact = old.every((line, offset) => file[at + offset] === line);
    placements.push({ index, line: result.length + 1, offset: at - skip - stated, fuzz });
    const inner = hunk.lines.slice(skip, hunk.lines.length - drop);
    for (const run of touchedBy(inner, at, result.length)) touched.push(run);
    const asFile = old.length === 0 ? !hunk.lines.some((line) => line.endsWith('\r')) : !isExact;
    writeLines(result, file, inner, sides.new.slice(skip, sides.new.length - drop), at, asFile ? eol : undefined);
    taken = at + old.length;
    shift = at - skip - statedPlace(hunk);
  }
  for (let line = taken; line < file.length; line += 1) result.push(file[line] ?? '');
  if (failures.length > 0) return { ok: false, failures };
  placements.sort((a, b) => a.index - b.index);
  return { ok: true, lines: result, placements, ...(isAsWritten ? { touched } : {}) };
}

interface Sides {
  /** Lines with `\n`, but for a last one that has none. */
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** Context lines at the beginning and at the end. */
  readonly lead: number;
  readonly trail: number;
}

function sidesOf({ lines, oldNoEol, newNoEol }: PatchHunk): Sides {
  const old: string[] = [];
  const proposed: string[] = [];
  let lead = 0;
  let trail = 0;
  for (const line of lines) {
    const text = `${line.slice(1)}\n`;
    const sign = line[0];
    if (sign !== '+') old.push(text);
    if (sign !== '-') proposed.push(text);
    trail = sign === ' ' ? trail + 1 : 0;
    if (sign === ' ' && lead === old.length - 1 && lead === proposed.length - 1) lead += 1;
  }
  if (oldNoEol) cutEnd(old);
  if (newNoEol) cutEnd(proposed);
  return { old, new: proposed, lead, trail };
}

function cutEnd(lines: string[]): void {
  const last = lines.at(-1);
  if (last !== undefined) lines[lines.length - 1] = last.slice(0, -1);
}

/** 0-based. A side without lines stands behind the line that is named. */
function statedPlace(hunk: PatchHunk): number {
  return hunk.oldLines === 0 ? hunk.oldStart : Math.max(0, hunk.oldStart - 1);
}

interface FoundPlace {
  /** 0-based, of the first line that was compared. */
  readonly at: number;
  readonly fuzz: number;
  /** Context lines ignored at the beginning and at the end. */
  readonly skip: number;
  readonly drop: number;
}

function findPlace(
  finder: Finder,
  sides: Sides,
  hunk: PatchHunk,
  stated: number,
  from: number,
): FoundPlace | undefined {
  if (sides.old.length === 0) {
    const isEmptyFile = finder.keys.length === 0;
    const at = isEmptyFile ? 0 : stated;
    const fits =
      at >= from &&
      at <= finder.keys.length &&
      isSeparated(finder, at) &&
      (!hunk.newNoEol || at === finder.keys.length);
    return fits ? { at, fuzz: 0, skip: 0, drop: 0 } : undefined;
  }
  const wanted = sides.old.map(bare);
  const context = Math.max(sides.lead, sides.trail);
  for (let fuzz = 0; fuzz <= Math.min(2, context); fuzz += 1) {
    // As in GNU patch, the longer context is ignored first.
    const skip = Math.max(0, fuzz + sides.lead - context);
    const drop = Math.max(0, fuzz + sides.trail - context);
    const inner = wanted.slice(skip, wanted.length - drop);
    if (inner.length === 0) break;
    const endsFile = hunk.newNoEol && drop === 0;
    const fits = (at: number) =>
      at >= from &&
      at + inner.length <= finder.keys.length &&
      (!endsFile || at + inner.length === finder.keys.length) &&
      matches(finder.keys, inner, at);
    const at = nearest(finder, inner, stated + skip, fits);
    if (at !== undefined) return { at, fuzz, skip, drop };
  }
  return undefined;
}

/** Text cannot be put behind a last line that has no end: the lines would run together. */
function isSeparated({ keys }: Finder, at: number): boolean {
  return at === 0 || (keys[at - 1] ?? '').endsWith('\n');
}

/** Context stays as the file has it; new lines are the patch's, or end as the file's lines do when an `eol` is given. */
function writeLines(
  result: string[],
  file: readonly string[],
  lines: readonly string[],
  proposed: readonly string[],
  at: number,
  eol: string | undefined,
): void {
  let oldAt = at;
  let newAt = 0;
  for (const line of lines) {
    const sign = line[0];
    if (sign === '-') {
      oldAt += 1;
      continue;
    }
    const text = proposed[newAt] ?? '';
    newAt += 1;
    if (sign === ' ') {
      result.push(file[oldAt] ?? '');
      oldAt += 1;
    } else if (eol === undefined || !text.endsWith('\n')) result.push(text);
    else result.push(bare(text).slice(0, -1) + (endNear(file, at, oldAt) || eol));
  }
}

/** The new lines stand as far in as the file's own; a last line keeps or lacks its end as in the file, where the patch does not say. */
function writeProven(
  result: string[],
  file: readonly string[],
  hunk: PatchHunk,
  sides: Sides,
  { at, indent }: ProvenPlace,
  eol: string,
): void {
  const start = result.length;
  writeLines(result, file, hunk.lines, sides.new.map(indent), at, eol);
  if (hunk.oldNoEol || hunk.newNoEol) return;
  for (let line = start; line < result.length - 1; line += 1)
    if (lineEndOf(result[line] ?? '') === '') result[line] += eol;
  const lacksEnd = at + sides.old.length === file.length && lineEndOf(file.at(-1) ?? '\n') === '';
  const last = result.at(-1);
  if (lacksEnd && last !== undefined) result[result.length - 1] = withoutLineEnd(last);
}

/** In a file of mixed line ends a new line takes that of its neighbour in the hunk. */
function endNear(file: readonly string[], at: number, oldAt: number): string {
  const before = oldAt > at ? lineEndOf(file[oldAt - 1] ?? '') : '';
  return before || lineEndOf(file[oldAt] ?? '');
}

/** The new lines stand somewhere in the file. */
function isApplied(finder: Finder, sides: Sides, stated: number): boolean {
  const proposed = sides.new.map(bare);
  const isThere = (at: number) =>
    at >= 0 && at + proposed.length <= finder.keys.length && matches(finder.keys, proposed, at);
  return proposed.length > 0 && nearest(finder, proposed, stated, isThere) !== undefined;
}

function failureOf(
  finder: Finder,
  sides: Sides,
  { doubt }: PatchHunk,
  hunk: number,
  stated: number,
  { candidates, why }: Unproven,
): PlaceFailure {
  const place = Math.max(0, Math.min(stated, finder.file.length));
  const clip = (lines: readonly string[]) => lines.slice(0, 40).join('').slice(0, 4000);
  const isAmbiguous = candidates.length > 0;
  const other =
    why === undefined && isApplied(finder, sides, stated) ? 'already-applied' : doubt ? 'malformed' : 'not-found';
  const reason = isAmbiguous ? 'ambiguous' : other;
  const message = why ?? (reason === 'malformed' ? doubt?.why : undefined);
  return {
    hunk,
    reason,
    ...(isAmbiguous ? { candidates } : {}),
    message,
    expected: clip(sides.old),
    actual: clip(finder.file.slice(place, place + Math.max(1, sides.old.length))),
  };
}
