import { createHash } from 'node:crypto';
import type { GitFile, GitSide } from '../../../shared/contract/gitApi.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Look } from '../workspace/look.ts';
import { conflictParts } from './conflictParts.ts';
import { idOfHunks } from './hunkPatch.ts';
import { type DiffFile, parseDiff } from './parseDiff.ts';
import type { Status } from './parseStatus.ts';
import type { Repository } from './repository.ts';

const maxFiles = 300;
const maxDiffBytes = 8 * 1024 * 1024;
/** Lines of one file that are shown; the rest is in the file. */
const maxLines = 2_000;

/** What has changed since the last commit: of each file what is staged and what is not. Errors: those of git. */
export async function changesSinceHead(
  repository: Repository,
  status: Status,
  look: Pick<Look, 'readText' | 'leaveOut'>,
  inProject: (path: string) => string,
): Promise<Result<{ readonly files: readonly GitFile[]; readonly total: number }>> {
  const staged = await sides(repository, true);
  if (!staged.ok) return staged;
  const unstaged = await sides(repository, false);
  if (!unstaged.ok) return unstaged;
  const shown = status.files.filter(({ path }) => !look.leaveOut(inProject(path)));
  const files = await Promise.all(
    shown.slice(0, maxFiles).map(async ({ path, oldPath, status: word, index, worktree }): Promise<GitFile> => {
      const conflict = word === 'conflicted' ? await conflictOf(look, inProject(path)) : undefined;
      const isWhole = { binary: false, additions: 0, deletions: 0, hunks: [] };
      return {
        path,
        oldPath,
        status: word,
        staged: index === '.' || index === '?' || conflict ? undefined : (staged.value.get(path) ?? isWhole),
        unstaged: worktree === '.' || conflict ? undefined : (unstaged.value.get(path) ?? isWhole),
        conflict,
      };
    }),
  );
  return ok({ files, total: shown.length });
}

async function sides(repository: Repository, ofIndex: boolean): Promise<Result<ReadonlyMap<string, GitSide>>> {
  const form = ['--patch-with-raw', '-z', '--no-abbrev', '--full-index', '--find-renames', '--relative', '--unified=3'];
  const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty'];
  const which = ofIndex ? ['--cached'] : ['--ours'];
  const args = ['diff', ...form, ...safe, '--src-prefix=a/', '--dst-prefix=b/', ...which];
  const read = await repository.read(args, { maxBytes: maxDiffBytes });
  if (!read.ok) return read;
  return ok(new Map(parseDiff(read.value.stdout).files.map((file) => [file.path, sideOf(file)])));
}

function sideOf({ binary, additions, deletions, hunks, status, oldPath }: DiffFile): GitSide {
  const id = idOfHunks(hunks.map((hunk) => ({ ...hunk, body: hunk.lines.map((line) => `${line}\n`).join('') })));
  let left = maxLines;
  const shown = hunks.map(({ oldStart, newStart, lines }) => {
    const some = lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return { oldStart, newStart, lines: [...some] };
  });
  const goesByHunk = !binary && hunks.length > 0 && oldPath === undefined && status !== 'type-changed';
  return { id: goesByHunk ? id : undefined, binary, additions, deletions, hunks: shown };
}

async function conflictOf(look: Pick<Look, 'readText'>, path: string): Promise<NonNullable<GitFile['conflict']>> {
  const file = await look.readText(path);
  if (!file.ok) return { id: '', parts: [] };
  return { id: idOfText(file.value.text), parts: [...conflictParts(file.value.text)] };
}

export function idOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
