import { posix } from 'node:path';
import type { Rule } from '../../../../shared/model/rule.ts';
import { hostMatches } from '../../base/hostMatches.ts';
import type { CommandPart } from '../commandParts/types.ts';
import { unwrap } from '../commandParts/unwrap.ts';
import { isPlainCondition } from '../readOnly/condition.ts';
import { isReadOnlyPart } from '../readOnly/readOnly.ts';
import { beginsWith, couldMean, ruleReaches } from './commandMatch.ts';
import { globsMeet, pathMatches } from './glob.ts';
import type { Unit } from './unit.ts';
import type { Facts } from './units.ts';

/** The call as rules see it. */
export interface RuleSubject {
  readonly tool: string;
  readonly category: string;
  readonly facts: Facts;
}

/** The allow rules that together cover the whole call; nothing when a single unit is left over. */
export function coveringRules(rules: readonly Rule[], subject: RuleSubject): readonly Rule[] | undefined {
  const allowing = rules.filter((rule) => rule.effect === 'allow' && fitsTool(rule, subject));
  const whole = allowing.find(({ match }) => !match.command && !match.path && !match.host);
  if (whole) return [whole];
  const { needed, uncoverable } = subject.facts;
  if (needed.length === 0 || uncoverable.length > 0) return undefined;
  const used = new Set<Rule>();
  for (const unit of needed) {
    const rule = coverUnit(allowing, unit, used);
    if (rule === undefined) return undefined;
  }
  // Conditions alone need no rule; such a line has nothing that a rule could stand for.
  return used.size > 0 ? [...used] : undefined;
}

/** Deny and ask rules: the first that means some unit for certain, else one that could. */
export function hittingRule(
  rules: readonly Rule[],
  effect: 'deny' | 'ask',
  subject: RuleSubject,
): { readonly rule: Rule; readonly certain: boolean } | undefined {
  let possible: Rule | undefined;
  for (const rule of rules) {
    if (rule.effect !== effect || !fitsTool(rule, subject)) continue;
    const { command, path, host } = rule.match;
    if (!command && !path && !host) return { rule, certain: true };
    for (const unit of subject.facts.reachable) {
      const hit = hits(rule, unit);
      if (hit === 'yes') return { rule, certain: true };
      if (hit === 'maybe') possible ??= rule;
    }
    if (command && subject.facts.renames) possible ??= rule;
  }
  return possible && { rule: possible, certain: false };
}

function fitsTool({ match }: Rule, { tool, category }: RuleSubject): boolean {
  return (
    (match.tool === undefined || match.tool === tool) && (match.category === undefined || match.category === category)
  );
}

/** Every matcher of the rule must speak about this unit; the rules used are noted. */
function coverUnit(rules: readonly Rule[], unit: Unit, used: Set<Rule>): true | undefined {
  if (unit.kind === 'command') return coverPart(rules, unit.part, used);
  const rule = rules.find(({ match }) => {
    if (unit.kind === 'host')
      return !match.command && !match.path && match.host !== undefined && hostMatches(match.host, unit.host);
    if (unit.kind !== 'path' || unit.path === null || match.path === undefined || match.host !== undefined)
      return false;
    if (match.command && !(unit.part && beginsWith(match.command, unit.part))) return false;
    return coversPath(match.path, unit.path);
  });
  if (!rule) return undefined;
  used.add(rule);
  return true;
}

function coverPart(rules: readonly Rule[], part: CommandPart, used: Set<Rule>): true | undefined {
  if (part.kind === 'condition') return isPlainCondition(part) || isReadOnlyPart(part) ? true : undefined;
  const fitting = rules.filter(
    ({ match }) => match.command && !match.path && !match.host && beginsWith(match.command, part),
  );
  const far = fitting.find(({ match }) => match.command && ruleReaches(match.command, part));
  if (far) {
    used.add(far);
    return true;
  }
  // A rule for the wrapper alone counts only if what it runs is covered too, as if it stood in the line.
  const [near] = fitting;
  const inner = unwrap(part);
  if (!near || !inner || inner.opaque !== undefined || inner.parts.length === 0) return undefined;
  if (!inner.parts.every((next) => coverPart(rules, next, used))) return undefined;
  if (inner.parts.some((next) => next.redirects.some(({ write }) => write))) return undefined;
  used.add(near);
  return true;
}

/** A glob without a leading `/` stays inside the project; `..` never leads out of it. */
function coversPath(pattern: string, path: string): boolean {
  const inside = !posix.isAbsolute(path) && !path.startsWith('..') && !path.startsWith('~') && !/^[A-Za-z]:/.test(path);
  const absolute = posix.isAbsolute(pattern) || pattern.startsWith('~') || /^[A-Za-z]:/.test(pattern);
  return inside !== absolute && pathMatches(pattern, path);
}

function hits({ match }: Rule, unit: Unit): 'yes' | 'maybe' | 'no' {
  switch (unit.kind) {
    case 'command':
      return match.command && !match.path && !match.host ? couldMean(match.command, unit.part) : 'no';
    case 'host':
      if (match.host === undefined || match.command || match.path) return 'no';
      if (unit.isGuess && (unit.host === '' || match.host === '*')) return unit.host === '' ? 'maybe' : 'no';
      if (!hostMatches(match.host, unit.host)) return 'no';
      return unit.isGuess ? 'maybe' : 'yes';
    case 'other':
      return 'no';
    case 'path': {
      if (match.path === undefined || match.host !== undefined) return 'no';
      const named = match.command ? (unit.part ? couldMean(match.command, unit.part) : 'no') : 'yes';
      if (named === 'no') return 'no';
      if (unit.path === null) return 'maybe';
      if (unit.isPattern) return globsMeet(match.path, unit.path) ? 'maybe' : 'no';
      // Rules that forbid are read leniently: without case, and a folder's rule holds for the folder itself.
      const hit =
        pathMatches(match.path, unit.path, { fold: true }) || pathMatches(match.path, `${unit.path}/`, { fold: true });
      return hit ? named : 'no';
    }
  }
}
