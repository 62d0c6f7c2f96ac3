import type { Answer } from '../../../../shared/model/call.ts';
import type { Intent } from '../../../../shared/model/intent.ts';
import { covers, type Level } from '../../../../shared/model/level.ts';
import type { Rule } from '../../../../shared/model/rule.ts';
import { factsOf } from './callFacts.ts';
import type { RuleContext } from './ruleContext.ts';
import { coveringRules, hittingRule } from './ruleMatch.ts';

export interface PastCall {
  readonly tool: string;
  readonly category: string;
  readonly level: Level;
  readonly intent: Intent;
  /** ISO time. */
  readonly at: string;
  readonly answer?: Answer;
}

export interface BacktestedCall {
  readonly at: string;
  readonly summary: string;
  /** What was answered then: `allowed by user`, `denied by rule`, or `not asked`. */
  readonly answered: string;
}

export interface Backtest {
  readonly considered: number;
  readonly matched: readonly BacktestedCall[];
  /** Calls that the rule alone would have let through without a question. */
  readonly wouldAllow: number;
  /** Calls among those that the person had denied: the reason to look twice. */
  readonly deniedThen: number;
  /** Calls that the rule fits but that are asked all the same (C3, C4, P12). */
  readonly askedAnyway: number;
}

/** What a rule by itself would have done to past calls, newest first; the list is cut at `limit`, the numbers are not. */
export function backtest(rule: Rule, past: readonly PastCall[], context: RuleContext, limit = 200): Backtest {
  const matched: BacktestedCall[] = [];
  let wouldAllow = 0;
  let deniedThen = 0;
  let askedAnyway = 0;
  for (const { tool, category, level, intent, at, answer } of past) {
    const facts = factsOf(intent, context);
    const subject = { tool, category, facts, isBeyond: !covers(level, intent.risk) };
    const fits =
      rule.effect === 'allow'
        ? coveringRules([rule], subject) !== undefined
        : hittingRule([rule], rule.effect, subject) !== undefined;
    if (!fits) continue;
    const hard = facts.red.length + facts.always.length > 0;
    if (hard) askedAnyway += 1;
    if (rule.effect === 'allow' && !hard) {
      wouldAllow += 1;
      if (answer?.decision === 'deny') deniedThen += 1;
    }
    matched.push({ at, summary: intent.summary, answered: described(answer) });
  }
  matched.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return { considered: past.length, matched: matched.slice(0, limit), wouldAllow, deniedThen, askedAnyway };
}

function described(answer: Answer | undefined): string {
  if (!answer) return 'not asked';
  return `${answer.decision === 'allow' ? 'allowed' : 'denied'} by ${answer.by}`;
}
