import type { SessionEvent } from '../../../shared/model/event.ts';
import type { Mode, Phase, PhaseFacts, PlanStep } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import { itemsOf } from '../../../shared/model/timeline.ts';
import { type Move, move, stay } from './moves.ts';

// The moves that the person brings about: a message, a phase chosen by hand, going on after a failure, /init.

/** A new message of the person: a task that is over gives way to a new one. */
export function onRequest(mode: Mode, facts: PhaseFacts, maxIterations: number, isOver: boolean): Move {
  if (mode !== 'phased' || !isOver) return stay;
  return {
    to: 'EXPLORING',
    events: [
      { type: 'phase.changed', from: facts.phase, to: 'EXPLORING', cause: 'a new task' },
      { type: 'iteration.counted', iterations: 0, maxIterations },
    ],
  };
}

/** The person moves the phase by hand; any phase but IDLE may be entered. A task that was over counts anew. */
export function moveByHand(facts: PhaseFacts, to: Phase, maxIterations: number, cause = 'moved by hand'): Move {
  if (facts.phase === to) return stay;
  const wasOver = facts.phase === 'IDLE' || facts.phase === 'DONE' || facts.phase === 'FAILED';
  const counter: readonly SessionEvent[] = wasOver ? [{ type: 'iteration.counted', iterations: 0, maxIterations }] : [];
  return move(facts, to, cause, counter);
}

/** The person lets a failed task go on: in the phase it failed in, with iterations of its own. */
export function onContinue(mode: Mode, facts: PhaseFacts, maxIterations: number, items: SessionState['items']): Move {
  if (mode !== 'phased' || facts.phase !== 'FAILED') return stay;
  let to: Phase = 'EXPLORING';
  for (const item of itemsOf(items)) if (item.kind === 'phase' && item.to === 'FAILED') to = item.from;
  return move(facts, to === 'FAILED' ? 'EXPLORING' : to, 'continued by hand', [
    { type: 'iteration.counted', iterations: 0, maxIterations },
  ]);
}

/** `/init` skips to writing: one step, whose file is PROJECT.md. */
export function onInit(mode: Mode, facts: PhaseFacts, maxIterations: number): Move {
  if (mode !== 'phased') return stay;
  const step: PlanStep = {
    id: 'step-1',
    intent: 'Write PROJECT.md',
    targetFiles: ['PROJECT.md'],
    state: 'running',
    retries: 0,
  };
  return move(facts, 'PATCHING', 'PROJECT.md is to be written', [
    { type: 'iteration.counted', iterations: 0, maxIterations },
    { type: 'plan.reported', steps: [step], replan: false },
  ]);
}
