import { fail, ok, type Result } from '../../../shared/result.ts';
import { lineEndOf, splitLines, withoutLineEnd } from '../../../shared/text/lines.ts';
import { nearestLines } from './nearestLines.ts';
import { dominantEol, type Eol } from './textFile.ts';

export interface Replaced {
  readonly text: string;
  readonly replacements: number;
  /** 1-based line of the first replacement. */
  readonly firstLine: number;
}

/**
 * Replaces one exact passage; `$` has no meaning in the new text. A passage whose line ends differ from the file's is tried
 * again with the file's (with each kind, where they are mixed), and new text takes the line ends of what it replaces. Overlapping matches are counted from left to right.
 * Errors: VALIDATION_ERROR, STRING_NOT_FOUND (details.nearest), MULTIPLE_MATCHES (details.count, .lines).
 */
export function replaceExact(text: string, oldText: string, newText: string, all: boolean): Result<Replaced> {
  if (oldText === '') return fail('VALIDATION_ERROR', 'The old text is empty; to fill a new file, write it');
  if (oldText === newText) return fail('VALIDATION_ERROR', 'The old and the new text are the same');
  const eol = dominantEol(text);
  const hasEnds = /[\r\n]/.test(text);
  const ends = ([eol, '\r\n', '\n'] as const).filter((end) => hasEnds && text.includes(end));
  const found = ends
    .map((end) => ({ end, wanted: withEol(oldText, end) }))
    .find(({ wanted: one }) => text.includes(one));
  const wanted = text.includes(oldText) ? oldText : found?.wanted;
  if (wanted === undefined) {
    const nearest = nearestLines(text, oldText);
    const hint = nearest[0] ? ` The nearest passage begins at line ${nearest[0].line}` : '';
    return fail('STRING_NOT_FOUND', `The old text does not occur in the file.${hint}`, { nearest });
  }
  const places = placesOf(text, wanted);
  if (places.length > 1 && !all) {
    const lines = linesAt(text, places);
    return fail(
      'MULTIPLE_MATCHES',
      `The old text occurs ${places.length} times (lines ${lines.slice(0, 10).join(', ')}); add surrounding lines or set all`,
      {
        count: places.length,
        lines,
      },
    );
  }
  // A file with mixed line ends has no style to keep: there the new text is written as given.
  const isUniform = hasEnds && splitLines(text).every((line) => ['', eol].includes(lineEndOf(line)));
  const given = wanted === oldText || !found ? newText : withEol(newText, found.end);
  const replacement = isUniform ? withEol(newText, eol) : given;
  if (replacement === wanted)
    return fail('VALIDATION_ERROR', 'The old and the new text differ only in their line ends, which the file keeps');
  return ok({
    text: text.split(wanted).join(replacement),
    replacements: places.length,
    firstLine: linesAt(text, places.slice(0, 1))[0] ?? 1,
  });
}

function withEol(text: string, eol: Eol): string {
  return text.replace(/\r\n|\r|\n/g, eol);
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

/** 1-based lines of these places, which are in order. */
function linesAt(text: string, places: readonly number[]): readonly number[] {
  const lines: number[] = [];
  let line = 0;
  let end = 0;
  const all = splitLines(text);
  for (const place of places) {
    while (line < all.length && end <= place) {
      end += all[line]?.length ?? 0;
      line += 1;
    }
    lines.push(Math.max(1, line));
  }
  return lines;
}

export interface LineEdit {
  readonly text: string;
  /** Of the result. */
  readonly lineCount: number;
  /** How many lines were taken out and put in. */
  readonly removed: number;
  readonly inserted: number;
}

/** Replaces lines startLine to endLine (1-based, both included). Error: INVALID_LINE_RANGE with lineCount. */
export function replaceRange(text: string, startLine: number, endLine: number, content: string): Result<LineEdit> {
  const lines = splitLines(text);
  return (
    rangeProblem(lines.length, startLine, endLine) ??
    ok(splice(text, lines, startLine - 1, endLine - startLine + 1, contentLines(content)))
  );
}

/** Puts lines in front of line `lineNumber`; lineCount + 1 appends. Error: INVALID_LINE_NUMBER with lineCount. */
export function insertAt(text: string, lineNumber: number, content: string): Result<LineEdit> {
  const lines = splitLines(text);
  if (!Number.isInteger(lineNumber) || lineNumber < 1 || lineNumber > lines.length + 1) {
    return fail(
      'INVALID_LINE_NUMBER',
      `Line ${lineNumber} is not between 1 and ${lines.length + 1}. Lines are counted from 1`,
      { lineCount: lines.length },
    );
  }
  return ok(splice(text, lines, lineNumber - 1, 0, contentLines(content)));
}

/** Removes lines startLine to endLine (1-based, both included). Error: INVALID_LINE_RANGE with lineCount. */
export function deleteRange(text: string, startLine: number, endLine: number): Result<LineEdit> {
  const lines = splitLines(text);
  return (
    rangeProblem(lines.length, startLine, endLine) ??
    ok(splice(text, lines, startLine - 1, endLine - startLine + 1, []))
  );
}

function rangeProblem(lineCount: number, startLine: number, endLine: number) {
  const fits =
    Number.isInteger(startLine) &&
    Number.isInteger(endLine) &&
    startLine >= 1 &&
    startLine <= endLine &&
    endLine <= lineCount;
  if (fits) return undefined;
  return fail(
    'INVALID_LINE_RANGE',
    `Lines ${startLine} to ${endLine} are not within 1 to ${lineCount}. Lines are counted from 1`,
    { lineCount },
  );
}

/** One final line end of the content is dropped; the empty content is one empty line. */
function contentLines(content: string): readonly string[] {
  return content.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
}

function splice(
  text: string,
  lines: readonly string[],
  at: number,
  remove: number,
  insert: readonly string[],
): LineEdit {
  const eol = dominantEol(text);
  const endedWithNewline = lines.length === 0 || lineEndOf(lines.at(-1) ?? '') !== '';
  const result = [...lines.slice(0, at), ...insert.map((line) => line + eol), ...lines.slice(at + remove)];
  // Only the last line may lack its end, and whether it does stays as it was.
  const joint = at - 1;
  const before = result[joint];
  if (before !== undefined && joint < result.length - 1 && lineEndOf(before) === '') result[joint] = before + eol;
  const last = result.at(-1);
  if (last !== undefined && !endedWithNewline) result[result.length - 1] = withoutLineEnd(last);
  // An empty last line without an end of its own is none: the line before it ends the text.
  const isNoLine = result.at(-1) === '';
  return {
    text: result.join(''),
    lineCount: isNoLine ? result.length - 1 : result.length,
    removed: remove,
    inserted: insert.length,
  };
}
