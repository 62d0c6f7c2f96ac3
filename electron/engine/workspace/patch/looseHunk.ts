import type { PatchHunk } from './patch.ts';

/** What a header says that is not written as it should be. */
export interface LooseHeader {
  readonly oldStart?: number;
  readonly oldLines?: number;
  readonly newStart?: number;
  readonly newLines?: number;
  /** The text beside the numbers, or in place of them. */
  readonly text: string;
}

/** More than any header has; what is matched stays short (J5). */
const maxHeaderCharacters = 1_000;

/** Undefined for what is no header of a hunk of two sides. */
export function looseHeader(written: string): LooseHeader | undefined {
  if (!written.startsWith('@@') || written.startsWith('@@@')) return undefined;
  const line = written.slice(0, maxHeaderCharacters);
  const match = /^@@\s*-(\d{1,9})(?:,(\d{1,9}))?[\s,]+\+(\d{1,9})(?:,(\d{1,9}))?\s*(?:@@+)?(.*)$/.exec(line);
  return {
    ...(match
      ? {
          oldStart: Number(match[1]),
          oldLines: Number(match[2] ?? 1),
          newStart: Number(match[3]),
          newLines: Number(match[4] ?? 1),
        }
      : {}),
    text: (match ? (match[5] ?? '') : line.slice(2).replace(/@@+\s*$/, '')).trim(),
  };
}

/** A patch ends with few blank lines; more are not counted. */
const maxBlankEnd = 100;

export function isBlankFrom(lines: readonly string[], start: number): boolean {
  if (lines.length - start > maxBlankEnd) return false;
  return lines.slice(start).every((line) => line.trim() === '');
}

/**
 * Reads the body of a hunk whose counts are of no use: up to what can only be something else. A line without a sign is
 * context that lost its blank. Undefined when nothing in it changes a line.
 */
export function readLooseBody(
  lines: readonly string[],
  start: number,
  { header, why, isEnd }: { readonly header: LooseHeader; readonly why: string; isEnd(at: number): boolean },
): { readonly hunk: PatchHunk; readonly next: number } | undefined {
  const body: string[] = [];
  const unsigned = new Set<number>();
  let oldNoEol = false;
  let newNoEol = false;
  let signedEnd = 0;
  let at = start;
  for (; at < lines.length && !isEnd(at); at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('\\') && body.length > 0) {
      const last = body.at(-1)?.[0];
      if (last !== '+') oldNoEol = true;
      if (last !== '-') newNoEol = true;
    } else if (/^[-+ ]/.test(line)) {
      body.push(line);
      if (line.trim() !== '') signedEnd = body.length;
    } else {
      if (line.trim() !== '') unsigned.add(body.length);
      body.push(` ${line}`);
    }
  }
  const kept = body.slice(0, signedEnd);
  if (!kept.some((line) => !line.startsWith(' '))) return undefined;
  const countOf = (other: string) => kept.filter((line) => !line.startsWith(other)).length;
  const [oldLines, newLines] = [countOf('+'), countOf('-')];
  const isLast = isBlankFrom(lines, at);
  const isShort = oldLines < (header.oldLines ?? 0) || newLines < (header.newLines ?? 0);
  const hunk: PatchHunk = {
    oldStart: header.oldStart ?? 0,
    oldLines,
    newStart: header.newStart ?? 0,
    newLines,
    header: header.text,
    lines: kept,
    oldNoEol,
    newNoEol,
    doubt: {
      line: start,
      why,
      hasNoNumbers: header.oldStart === undefined,
      ...(/[\p{L}\p{N}]/u.test(header.text) ? { anchor: header.text } : {}),
      unsigned,
      tail: body.slice(signedEnd).filter((_, index, all) => all.slice(index).some((line) => line.trim() !== '')),
      ...(at < lines.length ? { endedBy: lines[at] ?? '' } : {}),
      seemsCut: isLast && isShort && body.length === kept.length && !(kept.at(-1) ?? '').startsWith(' '),
    },
  };
  return { hunk, next: at };
}
