import { isDeepStrictEqual } from 'node:util';
import type { Approval } from '../../../shared/model/call.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Evaluation, RuleContext } from './evaluate.ts';
import type { GateOutcome } from './outcomes.ts';
import { effectsOf } from './rules/commandEffects.ts';
import { grantMinutes } from './timedGrants.ts';

/** What a person has been asked about a call before its turn, and has allowed. */
export interface GivenAhead {
  readonly intent: Intent;
  readonly approval: Approval;
  readonly outcome: GateOutcome;
}

/** What the person is asked when the gate does not decide alone. */
export function questionOf(
  { why, severe, rememberable, suggestions, offer }: Evaluation,
  intent: Intent,
  { now, context }: { now(): string; readonly context: RuleContext },
): Approval {
  return {
    askedAt: now(),
    reasons: why,
    severe,
    rememberable,
    ...(intent.targets.some(({ kind }) => kind === 'command') && { effects: effectsOf(intent, context) }),
    suggestions,
    ...(offer && { offer: { place: offer.place, minutes: grantMinutes } }),
  };
}

type Shown = Pick<GivenAhead, 'intent' | 'approval'>;

/** Whether a person would see the same again; when it was asked does not matter. */
export function sameQuestion(one: Shown, other: Shown): boolean {
  // As the journal keeps it: without what is undefined, its keys in any order.
  const kept = ({ intent, approval }: Shown): unknown =>
    JSON.parse(JSON.stringify([intent, { ...approval, askedAt: '' }]));
  return isDeepStrictEqual(kept(one), kept(other));
}
