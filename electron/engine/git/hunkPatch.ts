import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Repository } from './repository.ts';

/** The changes of one file as a patch that can be taken apart. */
export interface FilePatch {
  /** Of its hunks: another one when any of them is other than it was shown. */
  readonly id: string;
  readonly head: string;
  readonly hunks: readonly PatchHunk[];
}

export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Behind the second `@@`, with the line end. */
  readonly rest: string;
  readonly body: string;
}

/** What makes git print a patch that git itself takes again. */
const patchOptions = [
  '--patch',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--relative',
  '--unified=3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
const maxPatchBytes = 8 * 1024 * 1024;

const heads = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*\n)/gm;

/**
 * The changes of one file: of the working tree against the index, or of the index against HEAD. Errors: VALIDATION_ERROR (it
 * has none that go by the hunk: binary, a submodule, untracked, not UTF-8), those of git.
 */
export async function filePatch(repository: Repository, path: string, ofIndex: boolean): Promise<Result<FilePatch>> {
  const args = ['diff', ...patchOptions, ...(ofIndex ? ['--cached'] : []), '--', path];
  const read = await repository.read(args, { maxBytes: maxPatchBytes });
  if (!read.ok) return read;
  const { stdout, truncated } = read.value;
  const whole = (why: string): Result<never> =>
    fail('VALIDATION_ERROR', `${path} goes as a whole, not by the hunk: ${why}.`);
  if (stdout === '') return whole('it has no changes there that git compares');
  if (truncated) return whole('its changes are too many');
  if (stdout.includes('\uFFFD')) return whole('it is not UTF-8');
  if (/^(?:new|old|deleted|new file|deleted file) mode 1[26]0000$|^index \S+ 160000$/m.test(stdout))
    return whole('it is a link or a submodule');
  const patch = readPatch(stdout);
  return patch.hunks.length === 0 ? whole('it is binary, or empty') : ok(patch);
}

export function readPatch(text: string): FilePatch {
  const found = [...text.matchAll(heads)];
  const start = found[0]?.index ?? text.length;
  const hunks = found.map(
    ({ 0: line, 1: oldStart, 2: oldLines = '1', 3: newStart, 4: newLines = '1', 5: rest = '\n', index }, at) => ({
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      rest,
      body: text.slice(index + line.length, found[at + 1]?.index ?? text.length),
    }),
  );
  return { id: idOfHunks(hunks), head: text.slice(0, start), hunks };
}

/** Two diffs of the same content have the same one. */
export function idOfHunks(hunks: readonly Omit<PatchHunk, 'rest'>[]): string {
  const shown = hunks.map(({ oldStart, oldLines, newStart, newLines, body }) => [
    oldStart,
    oldLines,
    newStart,
    newLines,
    body,
  ]);
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16);
}

/**
 * A patch of some of the hunks, counted from 0. Where git begins to look for a hunk is where it would stand with the others of
 * the patch alone, so that lines that occur twice are not mistaken. `isReverse`: it is to be taken back out of the new side.
 */
export function partOfPatch({ head, hunks }: FilePatch, chosen: readonly number[], isReverse: boolean): string {
  let all = 0;
  let taken = 0;
  const parts: string[] = [];
  for (const [at, hunk] of hunks.entries()) {
    const { oldStart, oldLines, newStart, newLines, rest, body } = hunk;
    if (chosen.includes(at)) {
      const moved = taken - all;
      const from = isReverse ? oldStart - moved : oldStart;
      const to = isReverse ? newStart : newStart + moved;
      parts.push(`@@ -${from},${oldLines} +${to},${newLines} @@${rest}${body}`);
      taken += newLines - oldLines;
    }
    all += newLines - oldLines;
  }
  return `${head}${parts.join('')}`;
}
