import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { insertAt as insertLines } from '../../workspace/edits.ts';
import { textErrors, unique, writeErrors } from '../frame/errorGroups.ts';
import { lineEditOutput, lineEditText, planLineEdit, runLineEdit } from '../frame/lineEdit.ts';
import { defineTool } from '../frame/tool.ts';

export const insertAt = defineTool({
  name: 'insert_at',
  category: 'patch',
  permission: 'dangerous',
  errors: unique(...textErrors, ...writeErrors, 'INVALID_LINE_NUMBER', 'LIMIT_EXCEEDED'),
  about: 'Insert content before line lineNumber (counted from 1) of a text file; one more than the last line appends.',
  input: () =>
    z.object({
      filePath: z.string(),
      lineNumber: z.int(),
      content: z.string(),
      dryRun: z.boolean().optional(),
    }),
  output: () => lineEditOutput({ lineNumber: z.number(), insertedLines: z.number() }),
  text: lineEditText,

  async plan({ filePath, lineNumber, content, dryRun = false }, look) {
    const summary = (path: string) => `Insert at line ${lineNumber} of ${path}`;
    const planned = await planLineEdit(look, filePath, { summary, dryRun }, (text) =>
      insertLines(text, lineNumber, content),
    );
    return planned.ok ? ok({ intent: planned.value.intent, plan: { ...planned.value.plan, lineNumber } }) : planned;
  },

  run: ({ lineNumber, ...plan }, hands, verdict) =>
    runLineEdit(plan, { lineNumber, insertedLines: plan.edited.inserted }, hands, verdict),
});
