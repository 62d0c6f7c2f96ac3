import { posix } from 'node:path';
import type { Rule } from '../../../../shared/model/rule.ts';
import { hostMatches } from '../../base/hostMatches.ts';
import { globsMeet, pathMatches } from '../../base/pathGlob.ts';
import type { Command } from '../../shell/parse/line.ts';
import { isPlainCondition } from '../../shell/programs/plainCondition.ts';
import { isReadOnlyCommand } from '../../shell/readOnly.ts';
import { unwrap } from '../../shell/unwrap.ts';
import type { Facts } from './callFacts.ts';
import { beginsWith, couldMean, coversWrapper, ruleReaches } from './commandMatch.ts';
import { isPathDenied } from './deniedPaths.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** The call as rules see it. */
export interface RuleSubject {
  readonly tool: string;
  readonly category: string;
  readonly facts: Facts;
  /** The call needs more than the tool usually does (`git_branch` that switches): a rule for the tool does not mean it. */
  readonly isBeyond?: boolean;
}

/** The allow rules that together cover the whole call; nothing when a single target is left over. */
export function coveringRules(rules: readonly Rule[], subject: RuleSubject): readonly Rule[] | undefined {
  const allowing = rules.filter((rule) => rule.effect === 'allow' && fitsTool(rule, subject));
  const isWhole = ({ match }: Rule): boolean => !match.command && !match.path && !match.host;
  const whole = subject.isBeyond ? undefined : allowing.find(isWhole);
  if (whole) return [whole];
  const { needed, uncoverable } = subject.facts;
  if (needed.length === 0 || uncoverable.length > 0) return undefined;
  const used = new Set<Rule>();
  for (const target of needed) {
    const rule = coverTarget(allowing, target, used);
    if (rule === undefined) return undefined;
  }
  // Conditions alone need no rule; such a line has nothing that a rule could stand for.
  return used.size > 0 ? [...used] : undefined;
}

/** Deny and ask rules: the first that means some target for certain, else one that could. */
export function hittingRule(rules: readonly Rule[], effect: 'deny' | 'ask', subject: RuleSubject): RuleHit | undefined {
  let possible: RuleHit | undefined;
  for (const rule of rules) {
    if (rule.effect !== effect || !fitsTool(rule, subject)) continue;
    const { command, path, host } = rule.match;
    if (!command && !path && !host) return { rule, certain: true };
    for (const target of subject.facts.reachable) {
      const sweeps = target.kind === 'path' && target.isWhole === true;
      // What is asked is asked where it is named: a rule about writing must not meet every search.
      if (sweeps && effect === 'ask') continue;
      const hit = hits(rule, target);
      if (hit === 'yes') return { rule, certain: true };
      if (hit === 'maybe') possible ??= { rule, certain: false, sweeps };
    }
    if (command && subject.facts.renames) possible ??= { rule, certain: false };
  }
  return possible;
}

export interface RuleHit {
  readonly rule: Rule;
  readonly certain: boolean;
  /** It is read with a whole folder. */
  readonly sweeps?: boolean;
}

function fitsTool({ match }: Rule, { tool, category }: RuleSubject): boolean {
  return (
    (match.tool === undefined || match.tool === tool) && (match.category === undefined || match.category === category)
  );
}

/** Every matcher of the rule must speak about this target; the rules used are noted. */
function coverTarget(rules: readonly Rule[], target: RuleTarget, used: Set<Rule>): true | undefined {
  if (target.kind === 'command') {
    const { command, folders = [] } = target;
    const places = folders.length > 0 ? folders : ['.'];
    return places.every((folder) => coverCommand(rulesIn(folder, rules), command, used)) || undefined;
  }
  if (target.kind === 'path' && target.orNamed !== undefined && target.command)
    if (isNamed(rules, target.command, target.orNamed)) return true;
  const rule = rules.find(({ match }) => {
    if (target.kind === 'host')
      return !match.command && !match.path && match.host !== undefined && hostMatches(match.host, target.host);
    if (target.kind !== 'path' || target.path === null || match.path === undefined || match.host !== undefined)
      return false;
    if (match.command && !(target.command && beginsWith(match.command, target.command))) return false;
    return coversPath(match.path, target.path);
  });
  if (!rule) return undefined;
  used.add(rule);
  return true;
}

/** Rules for commands in this folder: those without a path mean the project's folder. */
function rulesIn(folder: string, rules: readonly Rule[]): readonly Rule[] {
  return rules.filter(({ match }) =>
    match.path === undefined ? folder === '.' : coversPath(match.path, folder) && match.command !== undefined,
  );
}

function isNamed(rules: readonly Rule[], command: Command, word: string): boolean {
  return rules.some(
    ({ match: { command: words } }) =>
      words && (words.at(-1) === '$' || words.includes(word)) && beginsWith(words, command),
  );
}

function coverCommand(rules: readonly Rule[], command: Command, used: Set<Rule>): true | undefined {
  if (command.kind === 'condition') return isPlainCondition(command) || isReadOnlyCommand(command) ? true : undefined;
  const fitting = rules.filter(({ match }) => match.command && !match.host && beginsWith(match.command, command));
  const far = fitting.find(({ match }) => match.command && ruleReaches(match.command, command));
  if (far) {
    used.add(far);
    return true;
  }
  // A rule for the wrapper alone counts only if what it runs is covered too, as if it stood in the line.
  const inner = unwrap(command);
  const near = inner && fitting.find(({ match }) => coversWrapper(match.command ?? [], command, inner));
  if (!near || !inner || inner.opaque !== undefined || inner.commands.length === 0) return undefined;
  if (!inner.commands.every((next) => coverCommand(rules, next, used))) return undefined;
  if (inner.commands.some((next) => next.redirects.some(({ write }) => write))) return undefined;
  used.add(near);
  return true;
}

/** A glob without a leading `/` stays inside the project; `..` never leads out of it. */
function coversPath(pattern: string, path: string): boolean {
  const inside = !posix.isAbsolute(path) && !path.startsWith('..') && !path.startsWith('~') && !/^[A-Za-z]:/.test(path);
  const absolute = posix.isAbsolute(pattern) || pattern.startsWith('~') || /^[A-Za-z]:/.test(pattern);
  return inside !== absolute && pathMatches(pattern, path);
}

/** Whether a pattern may mean something below a folder, both relative to the project or both absolute. */
function mayLieBelow(pattern: string, folder: string): boolean {
  const isAbsolute = /^(?:[/~]|\.\.|[A-Za-z]:)/.test(pattern);
  if (folder === '.') return !isAbsolute;
  const isOutside = /^(?:[/~]|[A-Za-z]:)/.test(folder);
  if (isPathDenied(pattern, folder)) return true;
  // A folder outside may hold the project, and with it whatever is named in it.
  return isOutside !== isAbsolute ? isOutside : globsMeet(pattern, `${folder.replace(/\/+$/, '')}/**`);
}

function hits({ match }: Rule, target: RuleTarget): 'yes' | 'maybe' | 'no' {
  switch (target.kind) {
    case 'command':
      return match.command && !match.path && !match.host ? couldMean(match.command, target.command) : 'no';
    case 'host':
      if (match.host === undefined || match.command || match.path) return 'no';
      if (target.isGuess && (target.host === '' || match.host === '*')) return target.host === '' ? 'maybe' : 'no';
      if (!hostMatches(match.host, target.host)) return 'no';
      return target.isGuess ? 'maybe' : 'yes';
    case 'other':
      return 'no';
    case 'path': {
      if (match.path === undefined || match.host !== undefined) return 'no';
      const named = match.command ? (target.command ? couldMean(match.command, target.command) : 'no') : 'yes';
      if (named === 'no') return 'no';
      if (target.path === null) return 'maybe';
      if (target.isWhole) return mayLieBelow(match.path, target.path) ? 'maybe' : 'no';
      if (target.isMention) return isPathDenied(match.path, target.path) ? 'maybe' : 'no';
      if (target.isPattern) return globsMeet(match.path, target.path) ? 'maybe' : 'no';
      const { path: pattern } = match;
      return (target.meant?.() ?? [target.path]).some((path) => isPathDenied(pattern, path)) ? named : 'no';
    }
  }
}
