import type { Answer, Approval, Decision } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import { type Rule, type RuleScope, ruleMatch, ruleText } from '../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { denied, type GateOutcome } from './outcomes.ts';
import { ruleId } from './rules/suggest.ts';
import type { TimedGrants } from './timedGrants.ts';

/** What the person answers; the shape of `permission.answer`. */
export interface PersonsAnswer {
  readonly decision: Decision;
  /** In place of the suggestions. */
  readonly rule?: Rule | undefined;
  readonly reason?: string | undefined;
  readonly verdicts?: readonly FileVerdict[] | undefined;
  readonly answer?: string | undefined;
  /** The calls that are allowed by the same answer. */
  readonly together?: readonly string[] | undefined;
}

/** An answer as it is kept. */
export interface RecordedAnswer {
  readonly call: string;
  readonly answer: Answer;
}

/** A call with what was asked about it. */
interface Question {
  readonly call: { readonly id: string; readonly tool: string };
  readonly approval: Approval;
}

export interface AnswerDeps {
  /** Saves one rule of scope project or user. */
  save(rule: Rule): Result<Rule>;
  /** ISO time. */
  now(): string;
  /** Where *Always* saves: `project` where there is one. */
  readonly always: 'project' | 'user';
  /** What was allowed for a while in this project. */
  readonly timed: TimedGrants;
}

/** Errors: VALIDATION_ERROR (an answer that may not be given to this question), those of saving a rule. */
export function outcomeBy(
  given: PersonsAnswer,
  entry: Question,
  deps: AnswerDeps,
  keepForSession: (rules: readonly Rule[]) => void,
): Result<GateOutcome> {
  const { call, approval } = entry;
  const at = deps.now();
  if (given.decision === 'deny') return ok(denied(at, given.reason));
  if (given.decision === 'hour' && !approval.offer)
    return fail('VALIDATION_ERROR', 'This question does not offer to allow it for a while.');
  const kept = keep(deps, given, entry, at, keepForSession);
  if (!kept.ok) return kept;
  const until =
    given.decision === 'hour' && approval.offer
      ? deps.timed.give(call.tool, approval.offer.place).expiresAt
      : undefined;
  return ok({
    decision: 'allow',
    answer: {
      at,
      decision: 'allow',
      by: 'user',
      reason: given.reason || undefined,
      rule: kept.value,
      until,
      together: given.together,
      verdicts: given.verdicts,
      text: given.answer || undefined,
    },
  });
}

/** Remembers what *Session* and *Always* stand for; the id of the first rule, or nothing for *Once* and *Hour*. */
function keep(
  deps: AnswerDeps,
  given: PersonsAnswer,
  { call, approval }: Question,
  at: string,
  keepForSession: (rules: readonly Rule[]) => void,
): Result<string | undefined> {
  if (given.decision === 'once' || given.decision === 'hour') return ok(undefined);
  if (!approval.rememberable)
    return fail('VALIDATION_ERROR', `This can only be allowed once: ${approval.reasons.join('; ')}`);
  const chosen = given.rule ? [given.rule] : approval.suggestions;
  const wrong = chosen.find((rule) => rule.effect !== 'allow' || !ruleMatch.safeParse(rule.match).success);
  if (wrong || chosen.length === 0)
    return fail('VALIDATION_ERROR', `The rule "${wrong ? ruleText(wrong) : ''}" does not allow anything.`);
  const scope: RuleScope =
    given.decision === 'session' ? 'session' : given.rule?.scope === 'user' ? 'user' : deps.always;
  const made = chosen.map((rule) => ({ ...rule, id: ruleId(rule, scope), scope, createdAt: at, from: call.id }));
  if (scope === 'session') {
    keepForSession(made);
    return ok(made[0]?.id);
  }
  // Saved first: what cannot be kept is not allowed under the name of "always".
  for (const rule of made) {
    const saved = deps.save(rule);
    if (!saved.ok) return saved;
  }
  return ok(made[0]?.id);
}
