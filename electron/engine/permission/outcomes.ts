import type { Answer } from '../../../shared/model/call.ts';
import type { Level } from '../../../shared/model/level.ts';
import type { Failure } from '../../../shared/result.ts';
import type { Evaluation } from './evaluate.ts';

/** How a call left the gate. */
export type GateOutcome =
  | {
      readonly decision: 'allow';
      readonly answer: Answer;
      /** The answer is a fact already. */
      readonly recorded?: boolean;
    }
  | { readonly decision: 'deny'; readonly answer: Answer; readonly failure: Failure; readonly recorded?: boolean };

/** What a call may do by an answer that was given before a restart; nothing where it is to be judged anew. */
export function pastOutcome(answer: Answer | undefined): GateOutcome | undefined {
  if (answer?.decision === 'allow') return { decision: 'allow', answer, recorded: true };
  return answer?.by === 'user' ? { ...denied(answer.at, answer.reason), recorded: true } : undefined;
}

export function outcomeOf(
  { verdict, by, why, rule, code, suggestions }: Evaluation,
  at: string,
  // What the call does counts, not what its tool usually does.
  { tool, intent: { risk: level } }: { readonly tool: string; readonly intent: { readonly risk: Level } },
): GateOutcome {
  const answer = { at, by, reason: why.join('; '), ...textOf('rule', rule?.id) };
  if (verdict === 'allow') return { decision: 'allow', answer: { ...answer, decision: 'allow' } };
  const orRule = suggestions.length > 0 ? ' or a rule' : '';
  // A rule that asks wins over every level and every rule that allows.
  const remedy = rule
    ? ' Take that rule away, or do it where somebody can be asked (vise chat).'
    : ` Allow it with --allow ${level}${orRule}.`;
  return {
    decision: 'deny',
    answer: { ...answer, decision: 'deny' },
    failure: {
      code: code ?? 'PERMISSION_DENIED',
      message: `Not allowed: ${why.join('; ')}.${code === 'PERMISSION_REQUIRED' ? remedy : ''}`,
      ...(code === 'PERMISSION_REQUIRED' ? { details: { tool, level } } : {}),
    },
  };
}

export function denied(at: string, reason: string | undefined): GateOutcome {
  const said = reason?.trim() ? `: ${reason.trim()}` : '.';
  return {
    decision: 'deny',
    answer: { at, decision: 'deny', by: 'user', ...textOf('reason', reason) },
    failure: { code: 'PERMISSION_DENIED', message: `The person denied this${said}` },
  };
}

export function refused(at: string, code: 'STALE' | 'CANCELLED', message: string): GateOutcome {
  return {
    decision: 'deny',
    answer: { at, decision: 'deny', by: 'host', reason: message },
    failure: { code, message },
  };
}

export function cancelled(at: string): GateOutcome {
  return refused(at, 'CANCELLED', 'Stopped while it waited for permission.');
}

export function textOf<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { readonly [P in K]?: string }); // one key, by construction
}
