import { type Failure, fail, ok, type Result } from '../../../../shared/result.ts';
import { isBlankFrom, looseHeader, readLooseBody } from './looseHunk.ts';
import type { PatchHunk } from './patch.ts';

export function malformed(line: number, why: string) {
  return fail('PATCH_FAILED', `Line ${line + 1} of the patch: ${why}`, [
    { line: line + 1, reason: 'malformed', message: why },
  ]);
}

export function isPlainHeader(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ');
}

/** The header of a file with a hunk under it: inside a hunk this may also be a line that goes and one that comes. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return isPlainHeader(lines, at) && (lines[at + 2] ?? '').startsWith('@@');
}

/** How a text is read, and what was seen on the way. */
export interface HunkReading {
  /** The header of a file ends a hunk, whatever its counts say. */
  readonly endsAtHeaders: boolean;
  /** A hunk has swallowed what looks like the header of a file. */
  sawHeaderInside: boolean;
  /** Where the first code fence stands, once that was asked. */
  firstFence?: number;
}

interface HunkRead {
  readonly hunk: PatchHunk;
  readonly next: number;
}

interface HunkHeader {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly header: string;
}

export function hunkHeader(line: string): HunkHeader | undefined {
  const match = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/.exec(line);
  if (!match) return undefined;
  return {
    oldStart: Number(match[1]),
    oldLines: Number(match[2] ?? 1),
    newStart: Number(match[3]),
    newLines: Number(match[4] ?? 1),
    header: match[5] ?? '',
  };
}

/** Hunks as their headers count them; one whose header is wrong is read by its lines and is in doubt. */
export function readHunks(
  lines: readonly string[],
  start: number,
  reading: HunkReading,
): Result<{ readonly hunks: readonly PatchHunk[]; readonly next: number }> {
  const hunks: PatchHunk[] = [];
  let at = start;
  for (;;) {
    // Models like to put blank lines between hunks.
    let next = at;
    while (lines[next] !== undefined && (lines[next] ?? '').trim() === '') next += 1;
    const line = lines[next] ?? '';
    if (!line.startsWith('@@')) return ok({ hunks, next: at });
    const header = hunkHeader(line);
    const counted = header
      ? readBody(lines, next + 1, header, reading)
      : malformed(next, 'this hunk header is not of the form @@ -line,count +line,count @@');
    const body = counted.ok ? counted : readInDoubt(lines, next, counted.error, reading);
    if (!body.ok) return body;
    hunks.push(body.value.hunk);
    at = body.value.next;
  }
}

/** Fails as the counted reading did when there is nothing in it that could be read otherwise. */
function readInDoubt(lines: readonly string[], at: number, error: Failure, reading: HunkReading): Result<HunkRead> {
  const failed = { ok: false, error } as const;
  const header = looseHeader(lines[at] ?? '');
  if (!header) return failed;
  reading.firstFence ??= lines.findIndex(isFence);
  const isFenced = reading.firstFence !== -1 && reading.firstFence < at;
  const isEnd = (place: number) => endsBody(lines, place) || (isFenced && isFence(lines[place] ?? ''));
  const why = (error.details as readonly { readonly message: string }[])[0]?.message ?? error.message; // malformed alone makes these
  const read = readLooseBody(lines, at + 1, { header, why, isEnd });
  return read ? ok(read) : failed;
}

const isFence = (line: string) => /^(?:```|~~~)/.test(line);

/** What can only be the next hunk or file, or the signature of a mail. */
function endsBody(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (line.startsWith('@@') || line.startsWith('diff --git ') || isFileHeader(lines, at)) return true;
  if (line.startsWith('Index: ') && (lines[at + 1] ?? '').startsWith('====')) return true;
  return /^-- ?$/.test(line) && isBlankFrom(lines, at + 2);
}

function readBody(lines: readonly string[], start: number, header: HunkHeader, reading: HunkReading): Result<HunkRead> {
  const body: string[] = [];
  let oldLeft = header.oldLines;
  let newLeft = header.newLines;
  let oldNoEol = false;
  let newNoEol = false;
  let at = start;
  const countsWrong = (line: number) =>
    malformed(
      line,
      `the hunk at line ${start} does not have the ${header.oldLines} old and ${header.newLines} new lines that its header states`,
    );
  const markNoEol = (): boolean => {
    const last = body.at(-1)?.[0];
    if (last === undefined) return false;
    if (last !== '+') oldNoEol = true;
    if (last !== '-') newNoEol = true;
    return true;
  };
  for (; oldLeft > 0 || newLeft > 0; at += 1) {
    const line = lines[at];
    if (line === undefined) return countsWrong(at - 1);
    const sign = line[0];
    if (sign === '\\') {
      if (!markNoEol()) return malformed(at, 'a mark for a missing newline without a line before it');
    } else if (sign === '+') {
      newLeft -= 1;
      body.push(line);
    } else if (sign === '-') {
      if (isFileHeader(lines, at)) {
        if (reading.endsAtHeaders) return countsWrong(at);
        reading.sawHeaderInside = true;
      }
      oldLeft -= 1;
      body.push(line);
    } else if (sign === ' ' || sign === undefined || line === '\r') {
      oldLeft -= 1;
      newLeft -= 1;
      // A blank context line that lost its blank on the way.
      body.push(sign === ' ' ? line : ` ${line}`);
    } else return countsWrong(at);
    if (oldLeft < 0 || newLeft < 0) return countsWrong(at);
  }
  if ((lines[at] ?? '').startsWith('\\') && markNoEol()) at += 1;
  if (continues(lines, at)) return countsWrong(at);
  return ok({ hunk: { ...header, lines: body, oldNoEol, newNoEol }, next: at });
}

/** The body goes on behind the counts. The next file's header does not count, nor does the `-- ` above a mail signature. */
function continues(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (isPlainHeader(lines, at) || /^-- ?$/.test(line)) return false;
  return /^[-+ ]/.test(line) && line.trim() !== '';
}
