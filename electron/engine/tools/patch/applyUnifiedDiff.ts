import * as z from 'zod';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Look } from '../../workspace/look.ts';
import { assessRisk } from '../../workspace/patch/assessRisk.ts';
import { parsePatch } from '../../workspace/patch/parsePatch.ts';
import { type PatchedFile, patchReader, planPatch } from '../../workspace/patch/planPatch.ts';
import type { ProposedChange } from '../../workspace/proposedChange.ts';
import { clipText, maxResultCharacters } from '../frame/clipText.ts';
import { reviewLines, reviewSchema } from '../frame/describeVerdict.ts';
import { folderErrors, unique, writeErrors } from '../frame/errorGroups.ts';
import { unwritable } from '../frame/planTextEdit.ts';
import { applyReviewed } from '../frame/reviewed.ts';
import { changeIntent, defineTool, readIntent } from '../frame/tool.ts';
import { riskLines, riskSchema } from './riskSchema.ts';

export const applyUnifiedDiff = defineTool({
  name: 'apply_unified_diff',
  category: 'patch',
  permission: 'dangerous',
  errors: unique(
    ...folderErrors,
    ...writeErrors,
    'NO_VALID_DIFF',
    'PATCH_FAILED',
    'BINARY_FILE',
    'FILE_TOO_LARGE',
    'UNAVAILABLE',
    'LIMIT_EXCEEDED',
  ),
  about:
    'Apply a unified diff (or a *** Begin Patch envelope) to any number of files: all of it or nothing. For a single change edit_file is surer. Paths are relative to rootPath. dryRun only shows what would happen.',
  input: () =>
    z.object({
      diff: z.string(),
      dryRun: z.boolean().optional(),
      rootPath: z.string().optional(),
      assessRisk: z.boolean().optional(),
    }),
  output: () =>
    z.object({
      applied: z.array(
        z.object({
          path: z.string(),
          oldPath: z.string().optional(),
          status: z.enum(['added', 'deleted', 'modified', 'renamed', 'mode-changed']),
          hunks: z.array(
            z.object({
              index: z.number(),
              line: z.number(),
              offset: z.number(),
              fuzz: z.number(),
              note: z.string().optional(),
            }),
          ),
          additions: z.number(),
          deletions: z.number(),
        }),
      ),
      dryRun: z.boolean(),
      /** The texts that the files would have. */
      preview: z.record(z.string(), z.string()).optional(),
      risk: riskSchema.optional(),
      review: reviewSchema.optional(),
    }),

  text: ({ applied, dryRun, preview, risk, review }) =>
    [
      ...(dryRun ? ['Nothing was written: dryRun'] : []),
      ...applied.flatMap(({ path, oldPath, status, hunks, additions, deletions }) => [
        `${status} ${oldPath === undefined || oldPath === path ? '' : `${oldPath} -> `}${path} +${additions} -${deletions}`,
        ...hunks.flatMap(placeOf),
      ]),
      ...(risk === undefined ? [] : [riskLines(risk)]),
      ...reviewLines(review),
      ...Object.entries(preview ?? {}).map(([path, text]) => `--- ${path}\n${text}`),
    ].join('\n'),

  async plan({ diff, dryRun = false, rootPath = '.', assessRisk: isAssessed = false }, look) {
    const patch = parsePatch(diff);
    if (!patch.ok) return patch;
    const folder = await folderBelow(look, rootPath);
    if (!folder.ok) return folder;
    const planned = await planPatch(patch.value, patchReader(look), { inFolder: folder.value, root: look.root });
    if (!planned.ok) return planned;
    const { changes, files } = planned.value;
    for (const { after } of changes) {
      const wrong = after && 'text' in after ? unwritable(after.text, after.like, 'diff') : undefined;
      if (wrong) return wrong;
    }
    const names = files.map(({ path }) => path);
    const summary = `Patch ${names.length === 1 ? names[0] : `${names.length} files`}`;
    const isIdle = dryRun || changes.length === 0;
    const plan = { dryRun, changes, files, risk: isAssessed ? assessRisk(planned.value.patch) : undefined };
    return ok({ intent: isIdle ? readIntent(summary, ...names) : changeIntent(summary, changes), plan });
  },

  async run({ dryRun, changes, files, risk }, hands, verdict) {
    if (dryRun) return ok({ applied: files, dryRun, preview: previewOf(changes), risk });
    if (changes.length === 0) return ok({ applied: files, dryRun, risk });
    const written = await applyReviewed(changes, hands, verdict);
    if (!written.ok) return written;
    const { changes: kept, review } = written.value;
    const untouched = new Set(changes.filter((one) => !kept.some(({ path }) => path === one.path)).map(nameOf));
    const applied = files.filter(({ path }) => !untouched.has(path)).map((file) => withCounts(file, written.value));
    return ok({ applied, dryRun, risk, review });
  },
});

interface PlacedHunk {
  readonly index: number;
  readonly line: number;
  readonly offset: number;
  readonly fuzz: number;
  readonly note?: string | undefined;
}

/** Only of a hunk that went elsewhere or fits less well than it says. */
function placeOf({ index, line, offset, fuzz, note }: PlacedHunk): readonly string[] {
  if (offset === 0 && fuzz === 0 && note === undefined) return [];
  const off = offset === 0 ? '' : `, ${offset} lines off`;
  const fuzzy = fuzz === 0 ? '' : `, fuzz ${fuzz}`;
  return [`  hunk ${index + 1} at line ${line}${off}${fuzzy}${note === undefined ? '' : `: ${note}`}`];
}

const nameOf = ({ path }: { readonly path: string }) => path;

/** A patch of which the person kept a part adds and removes fewer lines than it says. */
function withCounts(
  file: PatchedFile,
  { applied }: { readonly applied: readonly { path: string; verdict: string; additions: number; deletions: number }[] },
): PatchedFile {
  const written = applied.find(({ path }) => path === file.path);
  if (!written || written.verdict === 'applied') return file;
  return { ...file, additions: written.additions, deletions: written.deletions };
}

async function folderBelow(look: Look, rootPath: string): Promise<Result<string>> {
  const found = await look.resolve(rootPath);
  if (!found.ok) return found;
  const { kind, relative, root } = found.value;
  if (kind === 'missing') return fail('DIRECTORY_NOT_FOUND', `The folder ${relative} does not exist`);
  if (kind !== 'directory') return fail('NOT_A_DIRECTORY', `${relative} is not a folder`);
  if (root !== look.root) return fail('VALIDATION_ERROR', `rootPath must lie in ${look.root}`);
  return ok(relative === '.' ? '' : relative);
}

/** The texts that the files would have, together within the size of a result. */
function previewOf(changes: readonly ProposedChange[]): Readonly<Record<string, string>> {
  let left = maxResultCharacters;
  const texts: [string, string][] = [];
  for (const { path, after } of changes) {
    if (after === null || !('text' in after)) continue;
    const { text } = clipText(after.text, left);
    left -= text.length;
    texts.push([path, text]);
  }
  return Object.fromEntries(texts);
}
