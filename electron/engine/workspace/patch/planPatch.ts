import { fail, ok, type Result } from '../../../../shared/result.ts';
import { splitLines } from '../../../../shared/text/lines.ts';
import { rememberRuns } from '../knownRuns.ts';
import type { Look } from '../look.ts';
import type { NewContent, ProposedChange } from '../proposedChange.ts';
import { dominantEol, plainStyle, type TextStyle } from '../textFile.ts';
import { countChanges, type Patch, type PatchFile, type PatchHunk } from './patch.ts';
import { type PatchProblem, patchFailed } from './patchProblem.ts';
import { patchRuns } from './patchRuns.ts';
import { type Content, contentOf, createTable, type Entry, type PatchReader, type Table } from './patchTable.ts';
import { placeChunks } from './placeChunks.ts';
import { type Placement, placeHunks } from './placeHunks.ts';
import { type PatchOptions, withNames, withoutOwnFolders } from './sectionNames.ts';

/** What a patch does to one file, as tools report it. */
export interface PatchedFile {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'mode-changed';
  readonly hunks: readonly Placement[];
  readonly additions: number;
  readonly deletions: number;
  /** What is not to be expected of a section of its kind. */
  readonly note?: string;
}

export interface PatchPlan {
  readonly changes: readonly ProposedChange[];
  readonly files: readonly PatchedFile[];
  /** The patch in the reading that applies. */
  readonly patch: Patch;
}

/** Reads for a patch through the sandbox. Links are not patched through: the patch would name one file and change another (P4). */
export function patchReader(look: Look): PatchReader {
  return async (given) => {
    const found = await look.resolve(given);
    if (!found.ok) return found;
    const { isLink, kind, relative, realRelative } = found.value;
    if (isLink || relative !== realRelative) return patchFailed([{ path: given, reason: 'symlink' }]);
    if (kind === 'missing') return ok(null);
    const text = await look.readText(given);
    return text.ok || text.error.code !== 'BINARY_FILE' ? text : look.readBytes(given);
  };
}

/**
 * Computes every file of a patch in memory, all or nothing. Names are relative to `inFolder` (default: the project).
 * Errors: PATCH_FAILED with details of PatchProblem; BINARY_FILE; PATH_TRAVERSAL_DETECTED; those of the reader.
 */
export async function planPatch(
  patch: Patch,
  readFile: PatchReader,
  options: PatchOptions = {},
): Promise<Result<PatchPlan>> {
  const first = await planReading(patch, readFile, options);
  if (first.ok || !patch.otherwise || first.error.code !== 'PATCH_FAILED') return first;
  const second = await planReading(patch.otherwise, readFile, options);
  return second.ok ? second : first;
}

async function planReading(patch: Patch, readFile: PatchReader, options: PatchOptions): Promise<Result<PatchPlan>> {
  const files: PatchFile[] = [];
  for (const file of await withoutOwnFolders(patch.files, readFile, options)) {
    const named = withNames(file, options);
    if (!named.ok) return named;
    files.push(named.value);
  }
  const table = createTable(files, readFile);
  await table.readAhead();
  const problems: PatchProblem[] = [];
  const reports: PatchedFile[] = [];
  for (const file of files) {
    const done = await patchOne(table, file, patch.format === 'envelope');
    if (!done.ok) {
      if (done.error.code !== 'PATCH_FAILED') return done;
      problems.push(...(done.error.details as readonly PatchProblem[])); // patchFailed alone makes these
    } else reports.push(done.value);
  }
  if (problems.length > 0) return patchFailed(problems);
  return ok({ changes: table.changes(), files: reports, patch });
}

/** Whether something above a new file is a file: one change set does not turn a file into a folder. */
async function isBlocked(table: Table, newPath: string): Promise<boolean> {
  const names = newPath.split('/').slice(0, -1);
  for (const index of names.keys()) {
    const above = await table.get(names.slice(0, index + 1).join('/'));
    if (above.ok && (above.value.exists || above.value.original)) return true;
  }
  return false;
}

async function patchOne(table: Table, file: PatchFile, isEnvelope: boolean): Promise<Result<PatchedFile>> {
  const chosen = await chooseNames(table, file);
  if (!chosen.ok) return chosen;
  const { oldPath, newPath, status } = chosen.value;
  const path = newPath ?? oldPath ?? '';
  const problem = (reason: PatchProblem['reason']) => patchFailed([{ path, reason }]);
  const sourceEntry = oldPath === null ? undefined : await table.get(oldPath);
  if (sourceEntry && !sourceEntry.ok) return sourceEntry;
  const source = sourceEntry?.value;
  const isMove = status === 'renamed' || status === 'copied';
  // Renames and copies of git start from the files as they were before the whole patch: that is how two files swap names.
  const base =
    isMove && !isEnvelope ? source?.original && contentOf(source.original) : source?.exists ? source.content : null;
  if (oldPath !== null && !base) return problem('file-missing');
  const targetEntry = newPath === null || newPath === oldPath ? undefined : await table.get(newPath);
  if (targetEntry && !targetEntry.ok) return targetEntry;
  const target = targetEntry?.value ?? source;
  if (targetEntry && !isEnvelope && target?.exists && !(table.leaves(newPath ?? '') && !target.touched))
    return problem('file-exists');
  if (newPath !== null && !target?.exists && (await isBlocked(table, newPath))) return problem('blocked');
  const isReplaced = isEnvelope && status === 'added' && target?.exists === true;
  const replaced =
    isReplaced && target.content && 'text' in target.content ? splitLines(target.content.text).length : 0;
  const placed = applyBody(file, path, base ?? null);
  if (!placed.ok) return placed;
  const { content, placements } = placed.value;
  if (status === 'deleted') {
    const rest = content && 'text' in content ? content.text : '';
    if (!isEnvelope && rest !== '')
      return patchFailed([{ path, reason: 'content-remains', expected: '', actual: rest.slice(0, 4000) }]);
    if (source) Object.assign(source, { exists: false, content: null, touched: true });
  } else if (target) {
    if (source && status === 'renamed' && source !== target && !isRewritten(source))
      Object.assign(source, { exists: false, content: null, touched: true });
    const movesWhole = status === 'renamed' && oldPath !== null && source?.original && !(isEnvelope && target.original);
    if (isEnvelope && status === 'renamed' && source && source !== target)
      Object.assign(source, { exists: false, content: null, touched: true });
    if (source !== target) Object.assign(target, { renamedFrom: movesWhole ? oldPath : undefined });
    const executable = executableOf(file, status === 'copied' ? source?.original : undefined);
    Object.assign(target, {
      content,
      exists: true,
      touched: true,
      executable,
    });
  }
  const { additions, deletions } = countChanges(file);
  return ok({
    path,
    ...(status === 'renamed' && oldPath !== null ? { oldPath } : {}),
    status: isReplaced ? 'modified' : status === 'copied' ? 'added' : status,
    hunks: placements,
    additions: status === 'deleted' && isEnvelope && base && 'text' in base ? 0 : additions,
    deletions:
      status === 'deleted' && isEnvelope && base && 'text' in base
        ? splitLines(base.text).length
        : deletions + replaced,
    note: isReplaced ? 'The file existed; *** Add File replaced all of it.' : undefined,
  });
}

/** Another file already took this name, so that it must not be cleared any more. */
function isRewritten(entry: Entry): boolean {
  return entry.touched && entry.exists && entry.renamedFrom !== undefined;
}

/** The only hunk has no old side (`@@ -0,0 +1,3 @@`). */
function makesFile({ hunks, chunks }: PatchFile): boolean {
  return chunks === undefined && hunks.length === 1 && hunks[0]?.oldLines === 0;
}

/** The names of a plain patch may differ (`x.orig`, `x`): the file that is there is meant. One of which nothing is there may be made by it. */
async function chooseNames(
  table: Table,
  file: PatchFile,
): Promise<Result<Pick<PatchFile, 'oldPath' | 'newPath' | 'status'>>> {
  const { oldPath, newPath, status } = file;
  if (status !== 'modified' || oldPath === null || newPath === null) return ok({ oldPath, newPath, status });
  for (const path of [newPath, oldPath]) {
    const entry = await table.get(path);
    if (!entry.ok) return entry;
    if (entry.value.exists) return ok({ oldPath: path, newPath: path, status });
  }
  if (makesFile(file)) return ok({ oldPath: null, newPath, status: 'added' });
  return ok({ oldPath: newPath, newPath, status });
}

interface Applied {
  readonly content: NewContent | null;
  readonly placements: readonly Placement[];
}

function applyBody(file: PatchFile, path: string, base: NewContent | null): Result<Applied> {
  const hasBody = file.hunks.length > 0 || (file.chunks ?? []).length > 0;
  if (!hasBody) return ok({ content: base ?? { text: '', like: plainStyle }, placements: [] });
  if (base && 'bytes' in base) return fail('BINARY_FILE', `${path} is binary; a text patch cannot change it`, { path });
  const isNew = base === null || file.status === 'added';
  const style: TextStyle = isNew ? plainStyle : base.like;
  // A byte order mark is part of the first line to a patch that git made, and to no other.
  const mark = style.bom && speaksOfMark(file) ? '\ufeff' : '';
  const text = isNew ? '' : mark + base.text;
  const lines = splitLines(text);
  const eol = dominantEol(text);
  const hunks = isNew ? file.hunks.map(withBlankLines) : file.hunks;
  const placed = file.chunks ? placeChunks(lines, file.chunks, eol) : placeHunks(lines, hunks, eol);
  if (!placed.ok) return patchFailed(placed.failures.map((failure) => ({ path, ...failure })));
  const result = placed.lines.join('');
  const hasMark = mark !== '' || isNew ? result.startsWith('\ufeff') : style.bom;
  const after = hasMark && (mark !== '' || isNew) ? result.slice(1) : result;
  const content = { text: after, like: { ...style, bom: hasMark, eol: isNew ? dominantEol(after) : style.eol } };
  if (
    placed.touched &&
    result === after &&
    text === (base?.text ?? '') &&
    hasLines(text, lines.length) &&
    hasLines(after, placed.lines.length)
  )
    rememberRuns(content, text, patchRuns(lines, placed.lines, placed.touched));
  return ok({ content, placements: placed.placements });
}

/** A new file has no context: its blank lines have only lost their sign. */
function withBlankLines(hunk: PatchHunk): PatchHunk {
  if (!hunk.doubt) return hunk;
  return { ...hunk, lines: hunk.lines.map((line) => (line.trim() === '' ? '+' : line)) };
}

/** Whether a text falls into these lines again: one without line feeds ends its lines otherwise. */
function hasLines(text: string, count: number): boolean {
  if (text === '') return count === 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines === count && (lines > 1 || !text.includes('\r'));
}

function speaksOfMark({ hunks }: PatchFile): boolean {
  return hunks[0]?.lines.some((line) => line.startsWith('\ufeff', 1)) ?? false;
}

function executableOf(
  { oldMode, newMode, status }: PatchFile,
  copied: Content | null | undefined,
): boolean | undefined {
  if (newMode === undefined) return copied ? (copied.mode & 0o100) !== 0 || undefined : undefined;
  if (status === 'added') return newMode === '100755' || undefined;
  return newMode === oldMode ? undefined : newMode === '100755';
}
