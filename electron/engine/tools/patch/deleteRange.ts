import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { deleteRange as deleteLines } from '../../workspace/edits.ts';
import { textErrors, unique, writeErrors } from '../frame/errorGroups.ts';
import { lineEditOutput, lineEditText, planLineEdit, runLineEdit } from '../frame/lineEdit.ts';
import { defineTool } from '../frame/tool.ts';

export const deleteRange = defineTool({
  name: 'delete_range',
  category: 'patch',
  permission: 'dangerous',
  errors: unique(...textErrors, ...writeErrors, 'INVALID_LINE_RANGE', 'LIMIT_EXCEEDED'),
  about: 'Delete lines startLine to endLine (counted from 1, both included) of a text file.',
  input: () =>
    z.object({
      filePath: z.string(),
      startLine: z.int(),
      endLine: z.int(),
      dryRun: z.boolean().optional(),
    }),
  output: () => lineEditOutput({ startLine: z.number(), endLine: z.number(), deletedLines: z.number() }),
  text: lineEditText,

  async plan({ filePath, startLine, endLine, dryRun = false }, look) {
    const summary = (path: string) => `Delete lines ${startLine} to ${endLine} of ${path}`;
    const planned = await planLineEdit(look, filePath, { summary, dryRun }, (text) =>
      deleteLines(text, startLine, endLine),
    );
    if (!planned.ok) return planned;
    return ok({ intent: planned.value.intent, plan: { ...planned.value.plan, startLine, endLine } });
  },

  run: ({ startLine, endLine, ...plan }, hands, verdict) =>
    runLineEdit(plan, { startLine, endLine, deletedLines: plan.edited.removed }, hands, verdict),
});
