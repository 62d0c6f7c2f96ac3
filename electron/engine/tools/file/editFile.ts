import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { replaceExact } from '../../workspace/edits.ts';
import { reviewLines, reviewSchema } from '../frame/describeVerdict.ts';
import { textErrors, unique, writeErrors } from '../frame/errorGroups.ts';
import { diffOf, planTextEdit } from '../frame/planTextEdit.ts';
import { plainDiff } from '../frame/resultLines.ts';
import { applyReviewed } from '../frame/reviewed.ts';
import { changeIntent, defineTool } from '../frame/tool.ts';

export const editFile = defineTool({
  name: 'edit_file',
  category: 'file',
  permission: 'dangerous',
  errors: unique(...textErrors, ...writeErrors, 'STRING_NOT_FOUND', 'MULTIPLE_MATCHES', 'LIMIT_EXCEEDED'),
  about:
    'Replace one exact passage of a text file. oldStr must occur exactly once, unless all is set; add surrounding lines to make it unique.',
  input: () =>
    z
      .object({
        filePath: z.string(),
        oldStr: z.string().min(1),
        newStr: z.string(),
        all: z.boolean().optional(),
      })
      .refine(({ oldStr, newStr }) => oldStr !== newStr, {
        message: 'The old and the new text are the same',
        path: ['newStr'],
      }),
  output: () =>
    z.object({
      filePath: z.string(),
      replacements: z.number(),
      firstLine: z.number(),
      diff: z.string(),
      review: reviewSchema.optional(),
    }),

  text: ({ filePath, replacements, firstLine, diff, review }) =>
    [
      `Edited ${filePath}: ${replacements} ${replacements === 1 ? 'place' : 'places'} from line ${firstLine}`,
      plainDiff(diff),
      ...reviewLines(review),
    ].join('\n'),

  async plan({ filePath, oldStr, newStr, all = false }, look) {
    const planned = await planTextEdit(look, filePath, 'newStr', (text) => replaceExact(text, oldStr, newStr, all));
    if (!planned.ok) return planned;
    const { path, change } = planned.value;
    return ok({ intent: changeIntent(`Edit ${path}`, [change]), plan: planned.value });
  },

  async run({ path, change, edited }, hands, verdict) {
    const written = await applyReviewed([change], hands, verdict);
    if (!written.ok) return written;
    const { changes, review } = written.value;
    return ok({
      filePath: path,
      replacements: edited.replacements,
      firstLine: edited.firstLine,
      diff: diffOf(path, changes[0]),
      review,
    });
  },
});
