import type { Answer, Approval, Decision } from '../../../shared/model/call.ts';
import type { FileVerdict } from '../../../shared/model/change.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import { type Rule, type RuleScope, ruleMatch, ruleText } from '../../../shared/model/rule.ts';
import { type Failure, fail, ok, type Result } from '../../../shared/result.ts';
import { commandHash } from './commandHash.ts';
import { type Evaluation, evaluate, type RuleContext } from './evaluate.ts';
import type { LoadedRules } from './rules/ruleStore.ts';
import { ruleId } from './rules/suggest.ts';
import { grantMinutes, type TimedGrants } from './timedGrants.ts';

/** A call at the gate, as the person would see it. */
export interface GateCall {
  readonly id: string;
  readonly tool: string;
  readonly category: string;
  readonly level: Level;
  readonly intent: Intent;
  /** The question stands in the journal already (the engine was restarted while it waited). */
  readonly asked: boolean;
}

export type GateOutcome =
  | {
      readonly decision: 'allow';
      readonly answer: Answer;
      readonly verdicts?: readonly FileVerdict[];
      readonly text?: string;
    }
  | { readonly decision: 'deny'; readonly answer: Answer; readonly failure: Failure };

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

/** What the gate borrows. */
export interface GateParts {
  /** Puts the question before the person. The answer comes through `gate.answer`, minutes or days later. */
  ask(call: GateCall, approval: Approval): void;
  /** The rules of all files, read anew. */
  rules(): LoadedRules;
  /** Saves one rule of scope project or user. */
  save(rule: Rule): Result<Rule>;
  allow(): Level;
  interactive(): boolean;
  readonly context: RuleContext;
  /** ISO time. */
  now(): string;
  /** Where *Always* saves: `project` where there is one. */
  readonly always: 'project' | 'user';
  /** What was allowed for a while in this project. */
  readonly timed: TimedGrants;
  /** What was granted before a restart. */
  readonly granted?: SessionGrants;
  /** Called whenever grants changed, for the journal. */
  onGrants?(grants: SessionGrants): void;
}

export interface SessionGrants {
  /** Moderate tools that were allowed once. */
  readonly tools: readonly string[];
  readonly rules: readonly Rule[];
}

export interface Gate {
  /** Waits as long as it takes; ends early only by the signal (CANCELLED). */
  pass(call: GateCall, signal: AbortSignal): Promise<GateOutcome>;
  /** Errors: VALIDATION_ERROR (no such question, or an answer that may not be given to it), CONFLICT (answered already), and those of saving a rule; the question then still waits. */
  answer(call: string, answer: PersonsAnswer): Result<void>;
  /** Nobody can be asked after all: the call ends as it would have with nobody there. */
  unanswerable(call: string): void;
  /** Looks at every waiting question again, after rules, grants or the allowed level changed. */
  recheck(): void;
  waiting(): readonly { readonly call: GateCall; readonly approval: Approval }[];
  grants(): SessionGrants;
  /** Takes a rule of this session back. False when there is no such rule. */
  revoke(ruleId: string): boolean;
}

interface Waiting {
  readonly call: GateCall;
  readonly approval: Approval;
  readonly settle: (outcome: GateOutcome) => void;
}

/** How many answered calls are remembered, to tell "answered already" from "unknown". */
const rememberedAnswers = 1_000;

/** The one place where calls wait for permission. Keeps only what waits and this session's grants; the session journals both. */
export function createGate(parts: GateParts): Gate {
  const waiting = new Map<string, Waiting>();
  const answered = new Set<string>();
  const tools = new Set(parts.granted?.tools);
  let rules: readonly Rule[] = parts.granted?.rules ?? [];

  const grants = (): SessionGrants => ({ tools: [...tools], rules });
  const judge = ({ intent, tool, category }: GateCall, interactive = parts.interactive()): Evaluation => {
    const loaded = parts.rules();
    const grant = intent.standing && parts.timed.find(tool, intent.standing.place);
    return evaluate({
      intent,
      tool,
      category,
      rules: [...loaded.rules, ...rules],
      brokenRules: loaded.broken,
      allow: parts.allow(),
      sessionGrants: tools,
      ...(grant ? { grantedUntil: grant.expiresAt } : {}),
      interactive,
      context: parts.context,
    });
  };
  const settle = (id: string, outcome: GateOutcome) => {
    const entry = waiting.get(id);
    waiting.delete(id);
    answered.add(id);
    for (const old of answered) {
      if (answered.size <= rememberedAnswers) break;
      answered.delete(old);
    }
    entry?.settle(outcome);
  };
  const recheck = () => {
    for (const { call } of [...waiting.values()]) {
      const evaluation = judge(call);
      // A question that is already before the person is not taken away by a denial for want of a person.
      if (evaluation.verdict === 'allow' || (evaluation.verdict === 'deny' && evaluation.by === 'rule')) {
        settle(call.id, outcomeOf(evaluation, parts.now(), call));
      }
    }
  };

  return {
    async pass(call, signal) {
      if (signal.aborted) return cancelled(parts.now());
      if (!shownIsRun(call.intent)) {
        return refused(parts.now(), 'STALE', 'What is shown is not what would run; the call was not started.');
      }
      const evaluation = judge(call);
      if (evaluation.verdict !== 'ask') return outcomeOf(evaluation, parts.now(), call);
      const { why, tone, rememberable, suggestions, offer } = evaluation;
      const approval: Approval = {
        askedAt: parts.now(),
        reasons: why,
        tone,
        rememberable,
        suggestions,
        ...(offer ? { offer: { place: offer.place, minutes: grantMinutes } } : {}),
      };
      const { promise, resolve } = Promise.withResolvers<GateOutcome>();
      const stop = () => settle(call.id, cancelled(parts.now()));
      signal.addEventListener('abort', stop, { once: true });
      // The same call twice would leave the first promise hanging for ever.
      waiting.get(call.id)?.settle(cancelled(parts.now()));
      answered.delete(call.id);
      waiting.set(call.id, { call, approval, settle: resolve });
      try {
        parts.ask(call, approval);
        return await promise;
      } catch (error) {
        waiting.delete(call.id);
        throw error;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },

    answer(id, given) {
      const entry = waiting.get(id);
      if (!entry) {
        return answered.has(id)
          ? fail('CONFLICT', 'This question has been answered already.')
          : fail('VALIDATION_ERROR', `No question waits for the call ${id}.`);
      }
      const { call, approval } = entry;
      const at = parts.now();
      if (given.decision === 'deny') {
        settle(id, denied(at, given.reason));
        return ok(undefined);
      }
      if (given.decision === 'hour' && !approval.offer) {
        return fail('VALIDATION_ERROR', 'This question does not offer to allow it for a while.');
      }
      const kept = keep(given, call, approval, at);
      if (!kept.ok) return kept;
      const until =
        given.decision === 'hour' && approval.offer
          ? parts.timed.give(call.tool, approval.offer.place).expiresAt
          : undefined;
      // Once is once a session for moderate tools (seed 002), but never where the question itself is special.
      if (call.intent.risk === 'moderate' && approval.rememberable) tools.add(call.tool);
      settle(id, {
        decision: 'allow',
        answer: {
          at,
          decision: 'allow',
          by: 'user',
          ...textOf('reason', given.reason),
          ...textOf('rule', kept.value),
          ...textOf('until', until),
          ...(given.together ? { together: given.together } : {}),
        },
        ...(given.verdicts ? { verdicts: given.verdicts } : {}),
        ...textOf('text', given.answer),
      });
      const isRemembered = kept.value !== undefined || call.intent.risk === 'moderate';
      if (isRemembered) parts.onGrants?.(grants());
      if (isRemembered || until !== undefined) recheck();
      return ok(undefined);
    },

    unanswerable(id) {
      const entry = waiting.get(id);
      if (entry) settle(id, outcomeOf(judge(entry.call, false), parts.now(), entry.call));
    },
    recheck,
    waiting: () => [...waiting.values()].map(({ call, approval }) => ({ call, approval })),
    grants,
    revoke(id) {
      const left = rules.filter((rule) => rule.id !== id);
      if (left.length === rules.length) return false;
      rules = left;
      parts.onGrants?.(grants());
      return true;
    },
  };

  /** Remembers what *Session* and *Always* stand for; the id of the first rule, or nothing for *Once* and *Hour*. */
  function keep(given: PersonsAnswer, call: GateCall, approval: Approval, at: string): Result<string | undefined> {
    if (given.decision === 'once' || given.decision === 'hour') return ok(undefined);
    if (!approval.rememberable) {
      return fail('VALIDATION_ERROR', `This can only be allowed once: ${approval.reasons.join('; ')}`);
    }
    const chosen = given.rule ? [given.rule] : approval.suggestions;
    const wrong = chosen.find((rule) => rule.effect !== 'allow' || !ruleMatch.safeParse(rule.match).success);
    if (wrong || chosen.length === 0) {
      return fail('VALIDATION_ERROR', `The rule "${wrong ? ruleText(wrong) : ''}" does not allow anything.`);
    }
    const scope: RuleScope =
      given.decision === 'session' ? 'session' : given.rule?.scope === 'user' ? 'user' : parts.always;
    const made = chosen.map((rule) => ({ ...rule, id: ruleId(rule, scope), scope, createdAt: at, from: call.id }));
    if (scope === 'session') rules = [...rules.filter(({ id }) => !made.some((rule) => rule.id === id)), ...made];
    else {
      // Saved first: what cannot be kept is not allowed under the name of "always".
      for (const rule of made) {
        const saved = parts.save(rule);
        if (!saved.ok) return saved;
      }
    }
    return ok(made[0]?.id);
  }
}

/** The hash of a command preview must be that of what is shown, and the target must be the shown command (C5). */
export function shownIsRun({ preview, targets }: Intent): boolean {
  if (preview.kind !== 'command') return true;
  if (commandHash(preview) !== preview.hash) return false;
  return targets.every(
    (target) =>
      target.kind !== 'command' ||
      (target.command === preview.command &&
        target.cwd === preview.cwd &&
        JSON.stringify(target.argv ?? null) === JSON.stringify(preview.argv ?? null)),
  );
}

function outcomeOf({ verdict, by, why, rule, code }: Evaluation, at: string, { tool, level }: GateCall): GateOutcome {
  const answer = { at, by, reason: why.join('; '), ...textOf('rule', rule?.id) };
  if (verdict === 'allow') return { decision: 'allow', answer: { ...answer, decision: 'allow' } };
  const remedy = code === 'PERMISSION_REQUIRED' ? ' Allow it with --allow or a rule.' : '';
  return {
    decision: 'deny',
    answer: { ...answer, decision: 'deny' },
    failure: {
      code: code ?? 'PERMISSION_DENIED',
      message: `Not allowed: ${why.join('; ')}.${remedy}`,
      ...(code === 'PERMISSION_REQUIRED' ? { details: { tool, level } } : {}),
    },
  };
}

function denied(at: string, reason: string | undefined): GateOutcome {
  const said = reason?.trim() ? `: ${reason.trim()}` : '.';
  return {
    decision: 'deny',
    answer: { at, decision: 'deny', by: 'user', ...textOf('reason', reason) },
    failure: { code: 'PERMISSION_DENIED', message: `The person denied this${said}` },
  };
}

function refused(at: string, code: 'STALE' | 'CANCELLED', message: string): GateOutcome {
  return {
    decision: 'deny',
    answer: { at, decision: 'deny', by: 'host', reason: message },
    failure: { code, message },
  };
}

function cancelled(at: string): GateOutcome {
  return refused(at, 'CANCELLED', 'Stopped while it waited for permission.');
}

function textOf<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { readonly [P in K]?: string }); // one key, by construction
}
