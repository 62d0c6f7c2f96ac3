import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool, type PlannedIntent, type Tool } from '../frame/tool.ts';

const reasons = [
  'file_not_found',
  'dependency_conflict',
  'test_failure',
  'ambiguous_requirement',
  'permission_denied',
  'other',
] as const;
const actions = ['retry', 'skip', 'replan', 'abort'] as const;
const maxFindings = 20;
const maxFindingChars = 300;
const maxSteps = 20;
const findingsNeeded = 'report_findings requires key_findings[] and relevant_files[]';
const stepsNeeded = 'report_plan requires steps[] with at least one step';
const stepForm = { error: 'each step needs intent (str) and target_files (list)' };

/** The reports do nothing but say; the phases follow what they say. */
export const reportTools: readonly Tool[] = [
  defineTool({
    name: 'report_findings',
    category: 'phase',
    permission: 'none',
    errors: [],
    about: 'End exploring: what was found, and which files matter.',
    input: () =>
      z.object({
        key_findings: z.array(z.string(), { error: findingsNeeded }),
        relevant_files: z.array(z.string(), { error: findingsNeeded }),
        constraints: z.array(z.string()).optional(),
      }),
    async plan({ key_findings, relevant_files, constraints = [] }) {
      if (key_findings.length === 0) return fail('VALIDATION_ERROR', `${findingsNeeded}; at least one finding`);
      if (key_findings.length > maxFindings || key_findings.some((finding) => finding.length > maxFindingChars)) {
        return fail(
          'VALIDATION_ERROR',
          `report_findings takes at most ${maxFindings} findings of at most ${maxFindingChars} characters`,
        );
      }
      return ok({
        intent: reportIntent('Report findings'),
        plan: { ok: true, _report: 'findings', key_findings, relevant_files, constraints },
      });
    },
    run: async (report) => ok(report),
  }),
  defineTool({
    name: 'report_plan',
    category: 'phase',
    permission: 'none',
    errors: [],
    about: 'End planning: the steps, each with the files it will change.',
    input: () =>
      z.object({
        steps: z.array(
          z.object({ intent: z.string(stepForm), target_files: z.array(z.string(), stepForm) }, stepForm),
          {
            error: stepsNeeded,
          },
        ),
      }),
    async plan({ steps }) {
      if (steps.length === 0) return fail('VALIDATION_ERROR', stepsNeeded);
      if (steps.length > maxSteps) return fail('VALIDATION_ERROR', `report_plan takes at most ${maxSteps} steps`);
      return ok({ intent: reportIntent('Report the plan'), plan: { ok: true, _report: 'plan', steps } });
    },
    run: async (report) => ok(report),
  }),
  defineTool({
    name: 'report_step_done',
    category: 'phase',
    permission: 'none',
    errors: [],
    about:
      'Say that a step of the plan is done (default: the current one). Not needed where all of its files were changed.',
    input: () => z.object({ step: z.int().min(1).max(100).optional() }),
    plan: async ({ step }) =>
      ok({ intent: reportIntent('Report a step done'), plan: { ok: true, _report: 'step_done', step } }),
    run: async (report) => ok(report),
  }),
  defineTool({
    name: 'report_blocked',
    category: 'phase',
    permission: 'none',
    errors: [],
    about: `Say that the step cannot be done. reason_type: ${reasons.join(', ')}. suggested_action: ${actions.join(', ')}.`,
    input: () =>
      z.object({
        reason_type: z.string().optional(),
        detail: z.string().optional(),
        suggested_action: z.string().optional(),
      }),
    plan: async ({ reason_type, detail = '', suggested_action }) =>
      ok({
        intent: reportIntent('Report a block'),
        plan: {
          ok: false, // as the seed has it: the step did not succeed, the report did
          _report: 'blocked',
          reason_type: reasons.find((reason) => reason === reason_type) ?? 'other',
          detail,
          suggested_action: actions.find((action) => action === suggested_action) ?? 'retry',
        },
      }),
    run: async (report) => ok(report),
  }),
  defineTool({
    name: 'report_done',
    category: 'phase',
    permission: 'none',
    errors: [],
    about: 'Say that the task is done and checked.',
    input: () => z.object({ summary: z.string().optional() }),
    plan: async ({ summary = 'task completed' }) =>
      ok({ intent: reportIntent('Report done'), plan: { ok: true, _report: 'done', summary } }),
    run: async (report) => ok(report),
  }),
];

/** A report touches nothing: it only says. */
function reportIntent(summary: string): PlannedIntent {
  return { risk: 'none', effects: [], targets: [], summary, preview: { kind: 'none' } };
}
