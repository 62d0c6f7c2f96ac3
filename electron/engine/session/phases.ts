import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import type { Mode, Phase, PhaseFacts, PlanStep } from '../../../shared/model/phase.ts';
import type { ToolResult } from '../../../shared/result.ts';
import { type Report, reportSchema } from '../tools/phase/reports.ts';
import { type Move, move, stay } from './moves.ts';
import { currentStep, endSteps, isOpen } from './steps.ts';

/** A step may be blocked this often before the task fails; a task may be planned anew this often. */
const maxStepRetries = 3;
const maxReplans = 2;
/** Replies in words in a row, where a call was due, before the words are taken as the answer. */
const plainAnswers = 2;

type PhaseTool = {
  readonly name: string;
  readonly category: string;
  readonly permission: Level;
  readonly mayOnlyRead?: boolean | undefined;
};

const reports: Readonly<Record<string, readonly Phase[]>> = {
  report_findings: ['EXPLORING'],
  report_plan: ['PLANNING'],
  report_step_done: ['PATCHING'],
  report_blocked: ['PATCHING', 'VERIFYING'],
  report_done: ['VERIFYING'],
};

/** Whether a phase shows a tool to the model. What a shown tool then does is checked again by its effects. */
export function exposes(mode: Mode, phase: Phase, tool: PhaseTool): boolean {
  const report = reports[tool.name];
  if (report) return mode === 'phased' && report.includes(phase);
  if (mode === 'direct') return true;
  const reads = tool.permission === 'none';
  if (mode === 'ask') return reads || runsCommands(tool);
  switch (phase) {
    case 'IDLE':
    case 'DONE':
    case 'FAILED':
      return false;
    case 'EXPLORING':
    case 'PLANNING':
      return reads || runsCommands(tool);
    case 'PATCHING':
    case 'VERIFYING':
      return true;
  }
}

/** Commands are shown while exploring too: what is proven to read only may run. */
function runsCommands(tool: PhaseTool): boolean {
  return tool.name === 'run' || tool.name === 'cli_based_tool' || tool.mayOnlyRead === true;
}

/** Why the phase forbids what a call would do, or nothing. In front of every tool, the shell included. */
export function forbids(
  mode: Mode,
  phase: Phase,
  tool: PhaseTool,
  { effects, provenReadOnly = false }: Pick<Intent, 'effects' | 'provenReadOnly'>,
): string | undefined {
  if (!exposes(mode, phase, tool)) return `${phaseName(mode, phase)} does not offer ${tool.name}.`;
  const readOnlyPhase = mode === 'ask' || (mode === 'phased' && (phase === 'EXPLORING' || phase === 'PLANNING'));
  if (!readOnlyPhase) return undefined;
  if (effects.includes('writes')) return `${phaseName(mode, phase)} allows no writes.`;
  if (effects.includes('executes') && !provenReadOnly) {
    return `${phaseName(mode, phase)} runs only commands that are proven to read only.`;
  }
  return undefined;
}

export function phaseName(mode: Mode, phase: Phase): string {
  if (mode === 'ask') return 'Ask mode';
  return phase.charAt(0) + phase.slice(1).toLowerCase();
}

export interface FinishedCall {
  readonly tool: string;
  readonly result: ToolResult;
  /** Paths of the project that the call wrote. */
  readonly written: readonly string[];
}

/** Transitions follow calls, never text; at most one a call. */
export function afterCall(mode: Mode, facts: PhaseFacts, call: FinishedCall): Move {
  if (mode !== 'phased') return stay;
  const report = reports[call.tool] && call.result.success ? reportSchema.safeParse(call.result.data) : undefined;
  if (report?.success) return afterReport(facts, report.data);
  if (facts.phase !== 'VERIFYING' || call.written.length === 0) return stay;
  return move(facts, 'PATCHING', 'a file was edited while verifying', []);
}

function afterReport(facts: PhaseFacts, report: Report): Move {
  switch (report._report) {
    case 'findings':
      return move(facts, 'PLANNING', 'findings were reported', [
        {
          type: 'findings.reported',
          findings: report.key_findings,
          files: report.relevant_files,
          constraints: report.constraints,
        },
      ]);
    case 'plan': {
      const kept = facts.steps.filter((step) => step.state === 'done');
      const steps = report.steps.map(
        (step, index): PlanStep => ({
          id: `step-${kept.length + index + 1}`,
          intent: step.intent,
          targetFiles: step.target_files,
          state: index === 0 ? 'running' : 'pending',
          retries: 0,
        }),
      );
      return move(facts, 'PATCHING', 'a plan was reported', [
        { type: 'plan.reported', steps: [...kept, ...steps], replan: false },
      ]);
    }
    case 'step_done': {
      const step = report.step === undefined ? currentStep(facts) : facts.steps[report.step - 1];
      return step && isOpen(step) ? endSteps(facts, [{ ...step, state: 'done' }]) : stay;
    }
    case 'blocked':
      return afterBlocked(facts, report);
    case 'done':
      return move(facts, 'DONE', 'the task was reported done', []);
  }
}

function afterBlocked(facts: PhaseFacts, report: Extract<Report, { _report: 'blocked' }>): Move {
  const action = report.suggested_action;
  if (action === 'abort') return move(facts, 'FAILED', `blocked: ${report.detail || report.reason_type}`, []);
  const verifying = facts.phase === 'VERIFYING';
  if (action === 'replan' || (verifying && action === 'retry')) {
    if (facts.replans >= maxReplans) return move(facts, 'FAILED', `blocked after ${maxReplans} new plans`, []);
    const kept = facts.steps.filter((step) => step.state === 'done');
    return move(facts, 'PLANNING', 'a new plan is needed', [{ type: 'plan.reported', steps: kept, replan: true }]);
  }
  const step = currentStep(facts);
  if (verifying || !step) return stay;
  const error = `[${report.reason_type}] ${report.detail}`;
  const blocked = { ...step, error, retries: step.retries + 1 };
  if (action === 'skip') return endSteps(facts, [{ ...blocked, state: 'skipped' }]);
  if (blocked.retries >= maxStepRetries) {
    return move(facts, 'FAILED', `step "${step.intent}" was blocked ${maxStepRetries} times`, [
      { type: 'step.changed', step: { ...blocked, state: 'failed' } },
    ]);
  }
  return { events: [{ type: 'step.changed', step: { ...blocked, state: 'running' } }] };
}

export type TextVerdict =
  | { readonly kind: 'final'; readonly status?: 'answered' | 'unverified' }
  | { readonly kind: 'hint'; readonly text: string };

/** What a reply without calls means. `replies` counts such replies in a row, this one included. */
export function onText(mode: Mode, { phase, steps }: PhaseFacts, replies: number): TextVerdict {
  const isRepeated = replies >= plainAnswers;
  if (mode !== 'phased') return { kind: 'final', status: mode === 'ask' ? 'answered' : undefined };
  switch (phase) {
    case 'EXPLORING':
      return { kind: 'final', status: 'answered' };
    case 'PLANNING':
      if (isRepeated) return { kind: 'final', status: 'answered' };
      return hint('Turn what was found into steps: call report_plan.');
    case 'PATCHING': {
      if (isRepeated) return { kind: 'final', status: 'unverified' };
      const open = steps.filter(isOpen).map(({ intent }) => `"${intent}"`);
      return hint(
        `Open: ${open.join(', ') || 'the changes'}. Make them with a writing tool; call report_step_done for a step that is done already, report_blocked for one that cannot be done.`,
      );
    }
    case 'VERIFYING':
      return { kind: 'final', status: 'unverified' };
    case 'IDLE':
    case 'DONE':
    case 'FAILED':
      return { kind: 'final' };
  }
}

function hint(what: string): TextVerdict {
  return { kind: 'hint', text: `An answer in words does not end this phase. ${what}` };
}
