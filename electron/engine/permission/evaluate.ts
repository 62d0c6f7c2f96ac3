import type { Intent, StandingWish } from '../../../shared/model/intent.ts';
import { covers, type Level } from '../../../shared/model/level.ts';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { factsOf } from './rules/callFacts.ts';
import type { RuleContext } from './rules/ruleContext.ts';
import { coveringRules, hittingRule, type RuleSubject } from './rules/ruleMatch.ts';
import { suggestRules } from './rules/suggest.ts';

export type { RuleContext };

/**
 * Whether the person reviews edits after they are written, so that a change of files in the project needs no question. `restricted`:
 * they want it, but nobody trusts what the folder holds now.
 */
export type AppliesEdits = boolean | 'restricted';

/** Everything that decides about one call. */
export interface Question {
  /** `intent.risk` is the level that counts: a dry run of a dangerous tool needs less than the tool. */
  readonly intent: Intent;
  readonly tool: string;
  readonly category: string;
  /** What the tool usually needs; a rule for the whole tool allows no more. */
  readonly level?: Level;
  /** All rules in force: session, project (allow rules only of a trusted folder), user, `--rules`. */
  readonly rules: readonly Rule[];
  /** Why some rules could not be read: a deny rule may be among them, so everything is asked. */
  readonly brokenRules?: readonly string[];
  /** Why a hook wants the person to be asked. */
  readonly objection?: string | undefined;
  /** What runs without a question: `--allow`, or the session's setting. */
  readonly allow: Level;
  readonly appliesEdits?: AppliesEdits;
  /** Moderate tools that were allowed once in this session. */
  readonly sessionGrants: ReadonlySet<string>;
  /** Until when the person allowed this tool in this folder, where that time has not passed. ISO time. */
  readonly grantedUntil?: string | undefined;
  /** False when nobody can be asked; then what would be asked is denied. */
  readonly interactive: boolean;
  readonly context: RuleContext;
}

export interface Evaluation {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** In words, the most important first. */
  readonly why: readonly string[];
  readonly by: 'user' | 'rule' | 'level' | 'host';
  /** The rule that decided (of several allow rules, the first). */
  readonly rule?: Rule;
  /** For a denial: nobody could be asked, or somebody or something forbids it. */
  readonly code?: 'PERMISSION_REQUIRED' | 'PERMISSION_DENIED';
  readonly severe: boolean;
  readonly rememberable: boolean;
  /** The rules that *Session* and *Always* would create, together; of a denial those that would have allowed it. */
  readonly suggestions: readonly Rule[];
  /** What may be allowed for a while, because the agent asks for it and nothing speaks against it. */
  readonly offer?: StandingWish;
}

/**
 * Decides about one call. In this order: deny rules; hard limits (C3, C4, P12) and unreadable rules, which only a person
 * can pass; ask rules; the level, but for what reaches beyond the project; what was granted in this session or for a while; allow rules; else the person is asked. Pure.
 */
export function evaluate(question: Question): Evaluation {
  const { intent, tool, category, rules, allow, sessionGrants, context } = question;
  const facts = factsOf(intent, context);
  const isBeyond = question.level !== undefined && !covers(question.level, intent.risk);
  const subject: RuleSubject = { tool, category, facts, isBeyond };
  const denied = hittingRule(rules, 'deny', subject);
  if (denied?.certain) {
    return decided(
      'deny',
      'rule',
      [`the rule "${ruleText(denied.rule)}" forbids it`],
      denied.rule,
      'PERMISSION_DENIED',
    );
  }
  const severe = facts.red.length > 0;
  const hard = [...facts.red, ...facts.always];
  if (denied) {
    const why = denied.sweeps
      ? 'it shows more than it names (the search tools and git_diff leave out what is denied)'
      : 'some of its words are only known when it runs';
    hard.push(`the rule "${ruleText(denied.rule)}" may forbid it: ${why}`);
  }
  if (hard.length > 0) return ask(question, hard, { severe, hard: true });
  const broken = question.brokenRules ?? [];
  if (broken.length > 0)
    return ask(question, [...broken, 'everything is asked until the rules can be read'], { severe, hard: true });
  if (question.objection !== undefined)
    return ask(question, [`a hook wants you to be asked: ${question.objection}`], { severe, hard: true });
  const asking = hittingRule(rules, 'ask', subject);
  if (asking) {
    const certainly = asking.certain ? 'says' : 'may say';
    return ask(question, [`the rule "${ruleText(asking.rule)}" ${certainly} that it is asked`], {
      severe,
      rule: asking.rule,
    });
  }
  if (intent.risk === 'none') return decided('allow', 'level', ['tools of level none run']);
  const { beyond } = facts;
  if (covers(allow, intent.risk) && beyond.length === 0)
    return decided('allow', 'level', [`${intent.risk} tools are allowed here`]);
  if (question.appliesEdits === true && isEdit(intent))
    return decided('allow', 'user', ['edits of this session are applied as they come, and reviewed after']);
  if (intent.risk === 'moderate' && sessionGrants.has(tool)) {
    return decided('allow', 'user', [`${tool} was allowed for this session`]);
  }
  if (question.grantedUntil !== undefined && intent.standing) {
    return decided('allow', 'user', [`${tool} was allowed in ${intent.standing.place} until ${question.grantedUntil}`]);
  }
  const covering = coveringRules(rules, subject);
  if (covering) {
    const why = covering.map((rule) => `the rule "${ruleText(rule)}" allows it`);
    return decided('allow', 'rule', why, covering[0]);
  }
  const level =
    beyond.length > 0
      ? beyond
      : [
          intent.risk === 'moderate'
            ? 'moderate tools are asked once a session'
            : 'dangerous tools are asked each time',
        ];
  const gap = uncovered(rules, subject);
  const held = question.appliesEdits === 'restricted' && isEdit(intent) ? [editsHeld] : [];
  const suggestions = suggestRules(subject, intent.risk, rules);
  return ask(question, [...held, ...level, ...gap], { severe, suggestions, mayStand: true });
}

const editsHeld = 'edits are applied as they come only in a folder that you trust as it is now';

/** It changes files as it shows, which an undo brings back, and does nothing else. */
function isEdit({ preview, effects }: Intent): boolean {
  return preview.kind === 'changes' && effects.every((effect) => effect === 'reads' || effect === 'writes');
}

function decided(
  verdict: 'allow' | 'deny',
  by: Evaluation['by'],
  why: readonly string[],
  rule?: Rule,
  code?: Evaluation['code'],
): Evaluation {
  return {
    verdict,
    why,
    by,
    ...(rule ? { rule } : {}),
    ...(code ? { code } : {}),
    severe: false,
    rememberable: false,
    suggestions: [],
  };
}

interface Asking {
  readonly severe: boolean;
  /** No level may pass it. */
  readonly hard?: boolean;
  readonly rule?: Rule;
  readonly suggestions?: readonly Rule[];
  /** An answer for a while would help next time: no rule and no limit asks anew. */
  readonly mayStand?: boolean;
}

function ask(
  question: Question,
  why: readonly string[],
  { severe, hard = false, rule, suggestions = [], mayStand = false }: Asking,
): Evaluation {
  if (!question.interactive) {
    const reason = hard || rule ? 'this is always asked, and nobody can be asked here' : 'nobody can be asked here';
    const code = hard ? 'PERMISSION_DENIED' : 'PERMISSION_REQUIRED';
    return { ...decided('deny', 'host', [...why, reason], rule, code), severe, suggestions };
  }
  return {
    verdict: 'ask',
    why,
    by: rule ? 'rule' : 'host',
    ...(rule ? { rule } : {}),
    severe,
    rememberable: suggestions.length > 0,
    suggestions,
    ...(mayStand && question.intent.standing?.asked ? { offer: question.intent.standing } : {}),
  };
}

/** Why saved rules did not suffice, when some fit in command. */
function uncovered(rules: readonly Rule[], subject: RuleSubject): readonly string[] {
  const { facts } = subject;
  if (facts.uncoverable.length > 0) return facts.uncoverable.map((why) => `no rule covers it: ${why}`);
  if (facts.needed.length < 2) return [];
  const left = facts.needed.filter(
    (target) => !coveringRules(rules, { ...subject, facts: { ...facts, needed: [target] } }),
  );
  if (left.length === facts.needed.length) return [];
  return left.slice(0, 5).map((target) => {
    if (target.kind === 'command') return `no rule covers ${target.command.argv.join(' ')}`;
    if (target.kind === 'path')
      return `no rule covers writing ${target.path ?? 'a file whose name is only known when it runs'}`;
    return `no rule covers ${target.kind === 'host' ? target.host : target.name}`;
  });
}
