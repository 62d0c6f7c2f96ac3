import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isEnvelope, parseEnvelope } from './parseEnvelope.ts';
import { type HunkReading, hunkHeader, isFileHeader, isPlainHeader, malformed, readHunks } from './parseHunks.ts';
import type { Patch, PatchFile, PatchHunk, PatchStatus } from './patch.ts';
import { gitLineNames, headerName, quotedName, withoutPrefixes } from './patchNames.ts';

/** A patch longer than this is no patch a person could review (J5). */
const maxPatchCharacters = 32 * 1024 * 1024;

/**
 * Git and plain unified text, or the `*** Begin Patch` envelope. Text before, between and after the sections is skipped.
 * A hunk whose header is wrong is read by its lines and marked as being in doubt.
 * Errors: NO_VALID_DIFF; PATCH_FAILED with details `[{line, reason: 'malformed'}]`; LIMIT_EXCEEDED.
 */
export function parsePatch(text: string): Result<Patch> {
  if (text.length > maxPatchCharacters)
    return fail('LIMIT_EXCEEDED', `The patch is longer than ${maxPatchCharacters} characters`);
  const lines = patchLines(text);
  if (isEnvelope(lines)) return parseEnvelope(lines);
  const reading: HunkReading = { endsAtHeaders: false, sawHeaderInside: false };
  const first = parseUnified(lines, reading);
  if (!reading.sawHeaderInside) return first;
  const second = parseUnified(lines, { endsAtHeaders: true, sawHeaderInside: false });
  if (!second.ok) return first;
  return first.ok ? ok({ ...first.value, otherwise: second.value }) : second;
}

function parseUnified(lines: readonly string[], reading: HunkReading): Result<Patch> {
  const files: PatchFile[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const isGit = line.startsWith('diff --git ');
    if (isGit || isPlainHeader(lines, at)) {
      const section = isGit ? gitSection(lines, at, reading) : plainSection(lines, at, reading);
      if (!section.ok) return section;
      if (section.value.file) files.push(section.value.file);
      at = section.value.next;
    } else if (hunkHeader(line)) {
      return fail(
        'NO_VALID_DIFF',
        `Line ${at + 1} of the patch begins a hunk, but no file is named before it (--- and +++ lines)`,
      );
    } else at += 1;
  }
  if (files.length === 0)
    return fail(
      'NO_VALID_DIFF',
      'There is no unified diff in this text: no hunk under --- and +++ lines, and no git header',
    );
  return ok({ format: 'unified', files });
}

/** A patch that was written with CRLF throughout loses them; in one with LF headers a CR belongs to the content. */
function patchLines(text: string): readonly string[] {
  const lines = withoutIndent(text.replace(/^\ufeff/, '').split('\n'));
  if (lines.at(-1) === '') lines.pop();
  const header = lines.find((line) => /^(?:--- |\+\+\+ |diff --git |@@ -|\s*\*\*\* Begin Patch)/.test(line));
  if (!header?.endsWith('\r')) return lines;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** A patch in a list of Markdown, or quoted by four blanks: all of its lines stand as far in as its first header. */
function withoutIndent(lines: string[]): string[] {
  const first = lines.findIndex((line) => /^\s*(?:diff --git |--- \S|\*\*\* Begin Patch)/.test(line));
  const indent = /^[ \t]+/.exec(lines[first] ?? '')?.[0];
  if (indent === undefined || (lines[first] ?? '').includes('*** Begin Patch')) return lines;
  const isHeader = (line: string | undefined) =>
    /^(?:--- \S|\+\+\+ \S|@@|index |(?:old|new|deleted) |rename |copy |similarity )/.test(line ?? '');
  if (!(lines[first + 1] ?? '').startsWith(indent) || !isHeader(lines[first + 1]?.slice(indent.length))) return lines;
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trim() === '' ? '' : line));
}

interface Section {
  readonly file: PatchFile | undefined;
  readonly next: number;
}

/** Lines that stand between the header of a file and its first hunk and belong to neither are passed over, as by GNU patch. */
function firstHunk(lines: readonly string[], start: number): number {
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('@@')) return at;
    if (/^[-+]/.test(line) || line.startsWith('diff --git ') || isFileHeader(lines, at)) break;
  }
  return start;
}

function plainSection(lines: readonly string[], at: number, reading: HunkReading): Result<Section> {
  const [oldLine, newLine] = [(lines[at] ?? '').slice(4), (lines[at + 1] ?? '').slice(4)];
  const names = withoutPrefixes(headerName(oldLine), headerName(newLine));
  const body = readHunks(lines, firstHunk(lines, at + 2), reading);
  if (!body.ok) return body;
  const { hunks, next } = body.value;
  // Without a hunk it was only text that looked like a header.
  if (hunks.length === 0) return ok({ file: undefined, next: at + 1 });
  const isAdded = names.oldName === '/dev/null' || (isEpoch(oldLine) && hunks.length === 1 && hunks[0]?.oldLines === 0);
  const isDeleted =
    names.newName === '/dev/null' || (isEpoch(newLine) && hunks.length === 1 && hunks[0]?.newLines === 0);
  if (isAdded && isDeleted) return malformed(at, 'both sides are /dev/null');
  const status: PatchStatus = isAdded ? 'added' : isDeleted ? 'deleted' : 'modified';
  return ok({
    file: {
      status,
      oldPath: isAdded ? null : names.oldName,
      newPath: isDeleted ? null : names.newName,
      isBinary: false,
      hunks,
      line: at + 1,
      isGit: false,
      plainNames: names,
    },
    next,
  });
}

/** `diff -N` marks a missing file by the beginning of time, in the time of the place where it ran. */
function isEpoch(text: string): boolean {
  return /[\t ](?:1970-01-01|1969-12-31)[T ]\d{2}:\d{2}|[\t ](?:Thu Jan +1|Wed Dec 31) \d{2}:\d{2}:\d{2} 19(?:70|69)/.test(
    text,
  );
}

interface GitHeaders {
  oldMode?: string;
  newMode?: string;
  isNew?: boolean;
  isGone?: boolean;
  renameFrom?: string;
  renameTo?: string;
  copyFrom?: string;
  copyTo?: string;
}

function gitSection(lines: readonly string[], start: number, reading: HunkReading): Result<Section> {
  const named = gitLineNames((lines[start] ?? '').slice('diff --git '.length));
  const headers: GitHeaders = {};
  let at = start + 1;
  while (at < lines.length && readGitHeader(lines[at] ?? '', headers)) at += 1;
  let isBinary = false;
  let hunks: readonly PatchHunk[] = [];
  let fromLines: { readonly oldName: string; readonly newName: string } | undefined;
  if (isPlainHeader(lines, at)) {
    fromLines = withoutPrefixes(headerName((lines[at] ?? '').slice(4)), headerName((lines[at + 1] ?? '').slice(4)));
    const body = readHunks(lines, firstHunk(lines, at + 2), reading);
    if (!body.ok) return body;
    if (body.value.hunks.length === 0) return malformed(at, 'a header without any hunk');
    hunks = body.value.hunks;
    at = body.value.next;
  } else if ((lines[at] ?? '').startsWith('@@')) {
    const body = readHunks(lines, at, reading);
    if (!body.ok) return body;
    hunks = body.value.hunks;
    at = body.value.next;
  } else if (/^(?:GIT binary patch|Binary files .* differ)$/.test(lines[at] ?? '')) {
    isBinary = true;
    at += 1;
  }
  const names = fromLines ?? (named && withoutPrefixes(named.oldName, named.newName));
  const status = statusOf(headers, fromLines, hunks.length > 0);
  const oldPath = headers.renameFrom ?? headers.copyFrom ?? names?.oldName;
  const newPath = headers.renameTo ?? headers.copyTo ?? names?.newName;
  if (oldPath === undefined || newPath === undefined)
    return malformed(start, 'the names of the files cannot be told apart');
  if (fromLines && !agree(fromLines, oldPath, newPath))
    return malformed(start, 'the names in the headers contradict each other');
  if (hunks.length === 0 && !isBinary && status === 'modified')
    return ok({ file: undefined, next: Math.max(at, start + 1) });
  return ok({
    file: {
      status,
      oldPath: status === 'added' ? null : oldPath,
      newPath: status === 'deleted' ? null : newPath,
      oldMode: headers.oldMode,
      newMode: headers.newMode,
      isBinary,
      hunks,
      line: start + 1,
      isGit: true,
    },
    next: at,
  });
}

/** Git itself refuses a section whose headers name different files: what is shown must be what is changed. */
function agree(
  fromLines: { readonly oldName: string; readonly newName: string },
  oldPath: string,
  newPath: string,
): boolean {
  const fits = (name: string, path: string) => name === '/dev/null' || name === path;
  return fits(fromLines.oldName, oldPath) && fits(fromLines.newName, newPath);
}

function statusOf(
  headers: GitHeaders,
  fromLines: { readonly oldName: string; readonly newName: string } | undefined,
  hasHunks: boolean,
): PatchStatus {
  if (headers.isNew || fromLines?.oldName === '/dev/null') return 'added';
  if (headers.isGone || fromLines?.newName === '/dev/null') return 'deleted';
  if (headers.renameFrom !== undefined && headers.renameTo !== undefined) return 'renamed';
  if (headers.copyFrom !== undefined && headers.copyTo !== undefined) return 'copied';
  return headers.oldMode !== undefined && !hasHunks ? 'mode-changed' : 'modified';
}

/** Takes in one extended header line; false when the line is none. */
function readGitHeader(line: string, headers: GitHeaders): boolean {
  const match =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|rename old|rename new|copy from|copy to|similarity index|dissimilarity index|index) (.*)$/.exec(
      line,
    );
  if (!match) return false;
  const value = match[2] ?? '';
  const name = () => quotedName(value)?.name ?? value;
  switch (match[1]) {
    case 'old mode':
      headers.oldMode = value.trim();
      break;
    case 'new mode':
      headers.newMode = value.trim();
      break;
    case 'new file mode':
      headers.isNew = true;
      headers.newMode = value.trim();
      break;
    case 'deleted file mode':
      headers.isGone = true;
      headers.oldMode = value.trim();
      break;
    case 'rename from':
    case 'rename old':
      headers.renameFrom = name();
      break;
    case 'rename to':
    case 'rename new':
      headers.renameTo = name();
      break;
    case 'copy from':
      headers.copyFrom = name();
      break;
    case 'copy to':
      headers.copyTo = name();
      break;
    case 'index': {
      // `index 1234..5678 120000`: the mode of both sides when it did not change.
      const mode = / (\d{6})$/.exec(value)?.[1];
      if (mode === '120000' || mode === '160000') headers.newMode ??= mode;
      break;
    }
    default:
      break;
  }
  return true;
}
