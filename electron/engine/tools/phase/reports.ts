import * as z from 'zod';
import type { Immutable } from '../../../../shared/immutable.ts';
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

const findings = () =>
  z.object({
    ok: z.literal(true),
    _report: z.literal('findings'),
    key_findings: z.array(z.string()),
    relevant_files: z.array(z.string()),
    constraints: z.array(z.string()),
  });
const planned = () =>
  z.object({
    ok: z.literal(true),
    _report: z.literal('plan'),
    steps: z.array(z.object({ intent: z.string(), target_files: z.array(z.string()) })),
  });
const blocked = () =>
  z.object({
    /** The step did not succeed, the report did. */
    ok: z.literal(false),
    _report: z.literal('blocked'),
    reason_type: z.enum(reasons),
    detail: z.string(),
    suggested_action: z.enum(actions),
  });
const stepDone = () => z.object({ ok: z.literal(true), _report: z.literal('step_done'), step: z.number().optional() });
const done = () => z.object({ ok: z.literal(true), _report: z.literal('done'), summary: z.string() });

/** What the report tools answer with; the phases follow it. */
export const reportSchema = z.lazy(() =>
  z.discriminatedUnion('_report', [findings(), planned(), stepDone(), blocked(), done()]),
);
export type Report = Immutable<z.infer<typeof reportSchema>>;

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
    output: findings,
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
        plan: { ok: true as const, _report: 'findings' as const, key_findings, relevant_files, constraints },
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
    output: planned,
    async plan({ steps }) {
      if (steps.length === 0) return fail('VALIDATION_ERROR', stepsNeeded);
      if (steps.length > maxSteps) return fail('VALIDATION_ERROR', `report_plan takes at most ${maxSteps} steps`);
      return ok({
        intent: reportIntent('Report the plan'),
        plan: { ok: true as const, _report: 'plan' as const, steps },
      });
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
    output: stepDone,
    plan: async ({ step }) =>
      ok({
        intent: reportIntent('Report a step done'),
        plan: { ok: true as const, _report: 'step_done' as const, step },
      }),
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
    output: blocked,
    plan: async ({ reason_type, detail = '', suggested_action }) =>
      ok({
        intent: reportIntent('Report a block'),
        plan: {
          ok: false as const,
          _report: 'blocked' as const,
          reason_type: reasons.find((reason) => reason === reason_type) ?? ('other' as const),
          detail,
          suggested_action: actions.find((action) => action === suggested_action) ?? ('retry' as const),
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
    output: done,
    plan: async ({ summary = 'task completed' }) =>
      ok({ intent: reportIntent('Report done'), plan: { ok: true as const, _report: 'done' as const, summary } }),
    run: async (report) => ok(report),
  }),
];

/** A report touches nothing: it only says. */
function reportIntent(summary: string): PlannedIntent {
  return { risk: 'none', effects: [], targets: [], summary, preview: { kind: 'none' } };
}
