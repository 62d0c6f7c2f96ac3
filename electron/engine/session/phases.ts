import type { SessionEvent } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import type { Mode, Phase, PhaseFacts, PlanStep } from '../../../shared/model/phase.ts';
import type { ToolResult } from '../../../shared/result.ts';

/** A step may be blocked this often before the task fails; a task may be planned anew this often (seed 004). */
const maxStepRetries = 3;
const maxReplans = 2;
/** A plan step that was completed buys this many more iterations, up to twice the limit. */
const iterationExtension = 5;
/** A request answered in words this often in a row while exploring is a question, not a task. */
const plainAnswers = 3;

type PhaseTool = { readonly name: string; readonly category: string; readonly permission: Level };

const reports: Readonly<Record<string, readonly Phase[]>> = {
  report_findings: ['EXPLORING'],
  report_plan: ['PLANNING'],
  report_blocked: ['PATCHING', 'VERIFYING'],
  report_done: ['VERIFYING'],
};

const writers: ReadonlySet<string> = new Set(['file', 'patch']);

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
      return true;
    case 'VERIFYING':
      return !(writers.has(tool.category) && !reads);
  }
}

/** Commands are shown while exploring too: what is proven to read only may run. */
function runsCommands(tool: PhaseTool): boolean {
  return tool.name === 'run' || tool.name === 'cli_based_tool';
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

/** What follows from a fact: events to emit, and words for the model. */
export interface Move {
  readonly events: readonly SessionEvent[];
  /** Set when the phase changed: the rest of the reply is checked against the new one. */
  readonly to?: Phase;
}

export const stay: Move = { events: [] };

export interface FinishedCall {
  readonly tool: string;
  readonly result: ToolResult;
  /** Paths of the project that the call wrote. */
  readonly written: readonly string[];
}

/** Transitions follow calls, never text; at most one a call. */
export function afterCall(mode: Mode, facts: PhaseFacts, call: FinishedCall): Move {
  if (mode !== 'phased') return stay;
  const report = reports[call.tool] && call.result.success ? (call.result.data as Report) : undefined;
  if (report) return afterReport(facts, report);
  return facts.phase === 'PATCHING' && call.written.length > 0 ? afterWrite(facts, call.written) : stay;
}

/** What the report tools answer; they have checked it. */
export type Report =
  | {
      readonly _report: 'findings';
      readonly key_findings: readonly string[];
      readonly relevant_files: readonly string[];
      readonly constraints: readonly string[];
    }
  | {
      readonly _report: 'plan';
      readonly steps: readonly { readonly intent: string; readonly target_files: readonly string[] }[];
    }
  | {
      readonly _report: 'blocked';
      readonly reason_type: string;
      readonly detail: string;
      readonly suggested_action: 'retry' | 'skip' | 'replan' | 'abort';
    }
  | { readonly _report: 'done'; readonly summary: string };

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
  if (action === 'skip') return advance(facts, { ...blocked, state: 'skipped' });
  if (blocked.retries >= maxStepRetries) {
    return move(facts, 'FAILED', `step "${step.intent}" was blocked ${maxStepRetries} times`, [
      { type: 'step.changed', step: { ...blocked, state: 'failed' } },
    ]);
  }
  return { events: [{ type: 'step.changed', step: { ...blocked, state: 'running' } }] };
}

export function currentStep(facts: PhaseFacts): PlanStep | undefined {
  return facts.steps.find((step) => step.state === 'running' || step.state === 'pending');
}

/**
 * A write completes the current step when it was the last of its target files still unwritten, or the step names at
 * most one file; a write to a target of a later step means that the agent has moved on.
 */
function afterWrite(facts: PhaseFacts, written: readonly string[]): Move {
  const step = currentStep(facts);
  if (!step) return stay;
  const modified = new Set([...facts.filesModified, ...written].map(plainPath));
  const targets = step.targetFiles.map(plainPath);
  const isTarget = written.some((path) => targets.includes(plainPath(path)));
  const allWritten = targets.every((target) => modified.has(target));
  if (targets.length <= 1 || (isTarget && allWritten)) return advance(facts, { ...step, state: 'done' });
  const later = facts.steps.find(
    (other) =>
      other.id !== step.id &&
      other.state === 'pending' &&
      written.some((path) => other.targetFiles.map(plainPath).includes(plainPath(path))),
  );
  if (isTarget || !later) return stay;
  const isWritten = later.targetFiles.map(plainPath).every((target) => modified.has(target));
  return advance(facts, { ...step, state: 'done' }, ...(isWritten ? [{ ...later, state: 'done' as const }] : []));
}

function advance(facts: PhaseFacts, ended: PlanStep, ...more: readonly PlanStep[]): Move {
  const next = facts.steps.find(
    (step) => step.id !== ended.id && step.state === 'pending' && !more.some(({ id }) => id === step.id),
  );
  const events: SessionEvent[] = [ended, ...more].map((step) => ({ type: 'step.changed', step }));
  if (next) events.push({ type: 'step.changed', step: { ...next, state: 'running' } });
  const extended = extension(facts, ended);
  if (extended) events.push(extended);
  return next ? { events } : move(facts, 'VERIFYING', 'every step of the plan is done', events);
}

function extension(facts: PhaseFacts, ended: PlanStep): SessionEvent | undefined {
  if (ended.state !== 'done') return undefined;
  const finished = facts.steps.filter((step) => step.state === 'done').length;
  const base = Math.max(1, facts.maxIterations - finished * iterationExtension);
  const maxIterations = Math.min(base * 2, facts.maxIterations + iterationExtension);
  if (maxIterations <= facts.maxIterations) return undefined;
  return { type: 'iteration.counted', iterations: facts.iterations, maxIterations };
}

function plainPath(path: string): string {
  return path.replace(/^\.\//, '');
}

/** The move to a phase, behind the facts that led to it. */
export function move(facts: PhaseFacts, to: Phase, cause: string, before: readonly SessionEvent[]): Move {
  return { to, events: [...before, { type: 'phase.changed', from: facts.phase, to, cause }] };
}

export type TextVerdict =
  | { readonly kind: 'final'; readonly status?: 'answered' | 'unverified' }
  | { readonly kind: 'hint'; readonly text: string };

/** What a reply without calls means. `plainReplies` counts such replies in a row, this one included. */
export function onText(mode: Mode, phase: Phase, plainReplies: number): TextVerdict {
  if (mode !== 'phased') return { kind: 'final' };
  switch (phase) {
    case 'EXPLORING':
      if (plainReplies >= plainAnswers) return { kind: 'final', status: 'answered' };
      return hint('report_findings', 'Look at the project with the reading tools, then');
    case 'PLANNING':
      return hint('report_plan', 'Turn what was found into steps:');
    case 'PATCHING':
      return hint('report_blocked', 'Make the changes of the current step with a writing tool; if that is impossible,');
    case 'VERIFYING':
      return { kind: 'final', status: 'unverified' };
    case 'IDLE':
    case 'DONE':
    case 'FAILED':
      return { kind: 'final' };
  }
}

function hint(tool: string, what: string): TextVerdict {
  return { kind: 'hint', text: `An answer in words is not accepted in this phase. ${what} call ${tool}.` };
}
