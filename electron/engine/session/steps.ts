import type { SessionEvent } from '../../../shared/model/event.ts';
import type { Mode, PhaseFacts, PlanStep } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { type Move, move, stay } from './moves.ts';

/** A step of the plan that ends as done buys this many more iterations, up to twice the limit. */
const iterationExtension = 5;

export function isOpen({ state }: PlanStep): boolean {
  return state === 'running' || state === 'pending';
}

export function currentStep(facts: PhaseFacts): PlanStep | undefined {
  return facts.steps.find(isOpen);
}

export interface ReplyChanges {
  /** Files that were changed since the plan was made, by edits and by commands. */
  readonly sincePlan: readonly string[];
  /** Whether this reply wrote a file. */
  readonly inReply: boolean;
}

/**
 * Steps are judged after a whole reply, never between its calls: a step is done when each of its files was changed since
 * the plan was made. A write elsewhere completes nothing; a step that names no file is done by the next write. A step may
 * end earlier or without a write when the model says so (`report_step_done`).
 */
export function afterReply(mode: Mode, facts: PhaseFacts, { sincePlan, inReply }: ReplyChanges): Move {
  if (mode !== 'phased' || facts.phase !== 'PATCHING') return stay;
  const changed = new Set(sincePlan.map(plainPath));
  const current = currentStep(facts);
  const done = facts.steps.filter(
    (step) =>
      isOpen(step) &&
      (step.targetFiles.length > 0
        ? step.targetFiles.every((path) => changed.has(plainPath(path)))
        : inReply && step === current),
  );
  if (done.length === 0 && (current || !inReply)) return stay;
  return endSteps(
    facts,
    done.map((step) => ({ ...step, state: 'done' })),
  );
}

/** These steps have ended; the next one begins, or the phase ends with the last. */
export function endSteps(facts: PhaseFacts, ended: readonly PlanStep[]): Move {
  const isLeft = (step: PlanStep): boolean => isOpen(step) && !ended.some(({ id }) => id === step.id);
  const next = facts.steps.find(isLeft);
  const events: SessionEvent[] = ended.map((step) => ({ type: 'step.changed', step }));
  if (next?.state === 'pending') events.push({ type: 'step.changed', step: { ...next, state: 'running' } });
  const extended = extension(facts, ended.filter(({ state }) => state === 'done').length);
  if (extended) events.push(extended);
  return next ? { events } : move(facts, 'VERIFYING', 'every step of the plan has ended', events);
}

function extension(facts: PhaseFacts, ended: number): SessionEvent | undefined {
  const finished = facts.steps.filter((step) => step.state === 'done').length;
  const base = Math.max(1, facts.maxIterations - finished * iterationExtension);
  const maxIterations = Math.min(base * 2, facts.maxIterations + ended * iterationExtension);
  if (maxIterations <= facts.maxIterations) return undefined;
  return { type: 'iteration.counted', iterations: facts.iterations, maxIterations };
}

/** The files that edits have changed since the plan was made, or in the newest reply, as far as nobody has undone them. */
export function writtenFiles({ items, changeSets }: SessionState, since: 'plan' | 'reply'): readonly string[] {
  if (changeSets.length === 0) return [];
  let calls = new Set<string>();
  for (const item of itemsOf(items)) {
    const isStart =
      since === 'reply'
        ? item.kind === 'assistant'
        : item.kind === 'phase' && item.to === 'PATCHING' && item.from !== 'VERIFYING';
    if (isStart) calls = new Set();
    if (item.kind === 'call') calls.add(item.call.id);
  }
  return changeSets
    .filter((set) => set.state === 'applied' && (set.calls ?? [set.call]).some((call) => calls.has(call)))
    .flatMap(({ files }) => files.filter(({ verdict }) => verdict !== 'rejected').map(({ path }) => path));
}

function plainPath(path: string): string {
  return path.replace(/^\.\//, '');
}
