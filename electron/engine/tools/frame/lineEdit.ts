import * as z from 'zod';
import { ok, type Result } from '../../../../shared/result.ts';
import type { LineEdit } from '../../workspace/edits.ts';
import { type Review, reviewLines, reviewSchema } from './describeVerdict.ts';
import { diffOf, planTextEdit, type TextEditPlan } from './planTextEdit.ts';
import { plainDiff } from './resultLines.ts';
import { applyReviewed } from './reviewed.ts';
import { changeIntent, type Hands, type Look, type Planned, readIntent, type Verdict } from './tool.ts';

export interface LineEditPlan extends TextEditPlan<LineEdit> {
  readonly dryRun: boolean;
}

/** An edit by line numbers as a proposal; a dry run only looks and asks nobody. */
export async function planLineEdit(
  look: Look,
  filePath: string,
  wanted: { readonly summary: (path: string) => string; readonly dryRun: boolean },
  edit: (text: string) => Result<LineEdit>,
): Promise<Result<Planned<LineEditPlan>>> {
  const planned = await planTextEdit(look, filePath, 'content', edit);
  if (!planned.ok) return planned;
  const { path, change } = planned.value;
  const summary = wanted.summary(path);
  const intent = wanted.dryRun ? readIntent(`${summary} (dry run)`, path) : changeIntent(summary, [change]);
  return ok({ intent, plan: { ...planned.value, dryRun: wanted.dryRun } });
}

/** What every edit by line numbers answers with, beside its own counts. */
export function lineEditOutput<C extends z.ZodRawShape>(counts: C) {
  return z.object({
    filePath: z.string(),
    ...counts,
    diff: z.string(),
    lineCount: z.number(),
    dryRun: z.literal(true).optional(),
    review: reviewSchema.optional(),
  });
}

/** The same, as a model reads it: the diff has the counts and the lines around. */
export function lineEditText({ diff, lineCount, dryRun, review }: LineEditData): string {
  const done = dryRun ? 'Nothing written (dry run)' : 'Written';
  return [`${done}; the file has ${lineCount} lines then`, plainDiff(diff), ...reviewLines(review)].join('\n');
}

interface LineEditData {
  readonly diff: string;
  readonly lineCount: number;
  readonly dryRun?: true | undefined;
  readonly review?: Review | undefined;
}

export async function runLineEdit<C extends Readonly<Record<string, number>>>(
  { path, change, edited, dryRun }: LineEditPlan,
  counts: C,
  hands: Hands,
  verdict: Verdict,
) {
  const facts = { filePath: path, ...counts, lineCount: edited.lineCount };
  if (dryRun) return ok({ ...facts, diff: diffOf(path, change), dryRun: true as const });
  const written = await applyReviewed([change], hands, verdict);
  if (!written.ok) return written;
  const { changes, review } = written.value;
  return ok({ ...facts, diff: diffOf(path, changes[0]), review });
}
