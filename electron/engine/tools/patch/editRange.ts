import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { replaceRange } from '../../workspace/edits.ts';
import { textErrors, unique, writeErrors } from '../frame/errorGroups.ts';
import { lineEditOutput, lineEditText, planLineEdit, runLineEdit } from '../frame/lineEdit.ts';
import { defineTool } from '../frame/tool.ts';

export const editRange = defineTool({
  name: 'edit_range',
  category: 'patch',
  permission: 'dangerous',
  errors: unique(...textErrors, ...writeErrors, 'INVALID_LINE_RANGE', 'LIMIT_EXCEEDED'),
  about:
    'Replace lines startLine to endLine (counted from 1, both included) of a text file by content, where their numbers are known.',
  input: () =>
    z.object({
      filePath: z.string(),
      startLine: z.int(),
      endLine: z.int(),
      content: z.string(),
      dryRun: z.boolean().optional(),
    }),
  output: () =>
    lineEditOutput({
      startLine: z.number(),
      endLine: z.number(),
      originalLines: z.number(),
      modifiedLines: z.number(),
    }),
  text: lineEditText,

  async plan({ filePath, startLine, endLine, content, dryRun = false }, look) {
    const summary = (path: string) => `Replace lines ${startLine} to ${endLine} of ${path}`;
    const planned = await planLineEdit(look, filePath, { summary, dryRun }, (text) =>
      replaceRange(text, startLine, endLine, content),
    );
    if (!planned.ok) return planned;
    return ok({ intent: planned.value.intent, plan: { ...planned.value.plan, startLine, endLine } });
  },

  run: ({ startLine, endLine, ...plan }, hands, verdict) =>
    runLineEdit(
      plan,
      { startLine, endLine, originalLines: plan.edited.removed, modifiedLines: plan.edited.inserted },
      hands,
      verdict,
    ),
});
