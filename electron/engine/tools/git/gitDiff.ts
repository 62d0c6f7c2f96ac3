import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { type DirtySubmodule, dirtySubmodules } from '../../git/dirtySubmodules.ts';
import { type DiffFile, type DiffHunk, parseDiff } from '../../git/parseDiff.ts';
import type { GitPort } from '../../git/repository.ts';
import { clipText, maxResultCharacters } from '../frame/clipText.ts';
import type { Tool } from '../frame/tool.ts';
import { defineGitTool, inProject, isBelow, placesOf, repoPath } from './gitTool.ts';

const maxDiffBytes = 8 * 1024 * 1024;

export function createGitDiff(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_diff',
    permission: 'none',
    about:
      'The changes of tracked files against the index, or with staged (or cached) those of the index against HEAD, as hunks and as text. A file in conflict is compared with our side.',
    input: () =>
      z.object({
        repoPath: repoPath(),
        files: z.array(z.string()).optional(),
        staged: z.boolean().optional(),
        cached: z.boolean().optional(),
      }),
    output: () =>
      z.object({
        files: z.array(
          z.object({
            path: z.string(),
            oldPath: z.string().optional(),
            status: z.enum(['added', 'deleted', 'modified', 'renamed', 'copied', 'type-changed', 'conflicted']),
            binary: z.boolean(),
            additions: z.number(),
            deletions: z.number(),
            hunks: z.array(
              z.object({
                oldStart: z.number(),
                oldLines: z.number(),
                newStart: z.number(),
                newLines: z.number(),
                header: z.string(),
                lines: z.array(z.string()),
              }),
            ),
          }),
        ),
        raw: z.string(),
        truncated: z.boolean(),
      }),
    text: ({ raw }) => (raw === '' ? 'no changes' : raw),
    leftOut: ({ truncated }) => (truncated ? 'The diff is cut; ask for single files' : undefined),
    effects: () => ['reads'],
    summary: ({ staged, cached }) =>
      staged === true || cached === true ? 'Look at what is staged' : 'Look at the changes',
    async check({ files }, repository) {
      const places = await placesOf(repository, files);
      return places.ok ? ok({ value: places.value, places: places.value }) : places;
    },
    async run({ staged, cached }, repository, places, { look }) {
      const args = ['diff', '--patch-with-raw', '-z', '--no-abbrev', '--find-renames', '--relative', '--unified=3'];
      const safe = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty'];
      const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
      const ofIndex = staged === true || cached === true;
      // Without a side to compare with, git shows nothing of a file in conflict in this form.
      const index = ofIndex ? ['--cached'] : ['--ours'];
      const read = await repository.read([...args, ...safe, ...prefixes, ...index, '--', ...places], {
        maxBytes: maxDiffBytes,
      });
      if (!read.ok) return read;
      const isLeftOut = (path: string) => look.leaveOut(inProject(repository, path));
      const { files, patch } = parseDiff(read.value.stdout, isLeftOut);
      const inside = (ofIndex ? [] : await dirtySubmodules(port, look.sandbox, repository))
        .filter(({ path }) => isBelow(path, places) && files.every((file) => file.path !== path) && !isLeftOut(path))
        .map(dirtySection);
      const raw = clipText([patch, ...inside.map((one) => one.text)].join(''));
      const clipped = clipHunks([...files, ...inside.map((one) => one.file)], maxResultCharacters);
      return ok({
        files: clipped.files,
        raw: raw.text,
        truncated: read.value.truncated || raw.truncated || clipped.truncated,
      });
    },
  });
}

/** As git shows a submodule whose files have changed. */
function dirtySection({ path, commit }: DirtySubmodule): { readonly text: string; readonly file: DiffFile } {
  const lines = [`-Subproject commit ${commit}`, `+Subproject commit ${commit}-dirty`];
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, header: '', lines };
  return {
    text: [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, '@@ -1 +1 @@', ...lines, ''].join('\n'),
    file: { path, status: 'modified', binary: false, additions: 1, deletions: 1, hunks: [hunk] },
  };
}

/** Whole hunks only; the counts of a file are those of all its hunks. */
function clipHunks(files: readonly DiffFile[], budget: number): { files: readonly DiffFile[]; truncated: boolean } {
  let left = budget;
  let truncated = false;
  const fits = ({ lines }: DiffHunk): boolean => {
    left -= lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (left < 0) truncated = true;
    return left >= 0;
  };
  const clipped = files.map((file) => ({ ...file, hunks: file.hunks.filter(fits) }));
  return { files: clipped, truncated };
}
