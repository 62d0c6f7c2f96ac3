import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Level } from '../../../../shared/model/level.ts';
import { type Rule, type RuleMatch, type RuleScope, ruleText } from '../../../../shared/model/rule.ts';
import { type Command, isLiteral } from '../../shell/parse/line.ts';
import { onlyReads, programOf } from '../../shell/programs/programs.ts';
import { ruleReaches, ruleWords } from './commandMatch.ts';
import { coveringRules, type RuleSubject } from './ruleMatch.ts';
import type { RuleTarget } from './ruleTarget.ts';

/** More rules than this are not read before they are saved. */
const maxSuggestions = 12;

/** An allow rule with an id that only depends on what it says. */
export function allowRule(match: RuleMatch, scope: RuleScope): Rule {
  return { id: ruleId({ effect: 'allow', match }, scope), effect: 'allow', scope, match };
}

export function ruleId(rule: Pick<Rule, 'effect' | 'match'>, scope: RuleScope): string {
  return `rule_${createHash('sha256')
    .update(`${scope}\n${ruleText(rule)}`)
    .digest('hex')
    .slice(0, 12)}`;
}

/**
 * The narrowest rules that together would have allowed this call without a question; none when rules cannot cover it.
 * Commands: the verb of well-known tools (`npm run build`), else the exact words. Edits: the files' folder. Hosts: the host.
 */
export function suggestRules(subject: RuleSubject, level: Level, existing: readonly Rule[]): readonly Rule[] {
  const { tool, facts } = subject;
  if (level === 'moderate' && facts.needed.every(({ kind }) => kind !== 'command'))
    return [allowRule({ tool }, 'project')];
  if (facts.uncoverable.length > 0) return [];
  if (facts.needed.length === 0 || facts.needed.every(({ kind }) => kind === 'other'))
    return [allowRule({ tool }, 'project')];
  // Where a prefix leaves open what the line does, only the words themselves suffice.
  return suggested(subject, existing, commandPrefix) ?? suggested(subject, existing, exactWords) ?? [];
}

type Words = (command: Command) => readonly string[] | undefined;

function suggested(subject: RuleSubject, existing: readonly Rule[], wordsOf: Words): readonly Rule[] | undefined {
  const { tool, facts } = subject;
  const matches: RuleMatch[] = [];
  for (const target of facts.needed) {
    if (coveringRules(existing, { ...subject, facts: { ...facts, needed: [target] } })) continue;
    const found = matchFor(target, tool, wordsOf);
    if (found === undefined) return undefined;
    matches.push(...found);
  }
  const rules = [...new Map(matches.map((match) => [JSON.stringify(match), allowRule(match, 'project')])).values()];
  // A suggestion that would not do what it says must never be shown.
  const enough = rules.length <= maxSuggestions && coveringRules([...existing, ...rules], subject) !== undefined;
  return enough ? rules : undefined;
}

function matchFor(target: RuleTarget, tool: string, wordsOf: Words): readonly RuleMatch[] | undefined {
  switch (target.kind) {
    case 'command': {
      if (target.command.kind === 'condition') return [];
      const command = wordsOf(target.command);
      const folders = target.folders?.length ? target.folders : ['.'];
      return command && folders.map((folder) => (folder === '.' ? { command } : { command, path: folder }));
    }
    case 'path': {
      if (target.orNamed !== undefined) return []; // the command's own words name it
      if (target.path === null || target.path === '.') return undefined;
      const folder = posix.dirname(target.path);
      // A command's output goes to the one file; edits come in numbers.
      const path = target.command || folder === '.' || folder === '/' ? target.path : `${folder}/**`;
      return /[*?]/.test(target.path) ? undefined : [target.command ? { path } : { tool, path }];
    }
    case 'host':
      return [{ tool, host: target.host }];
    case 'other':
      return undefined;
  }
}

/** The verb of programs whose options are known, a program that only reads, else the exact words. */
function commandPrefix(command: Command): readonly string[] | undefined {
  const words = ruleWords(command);
  const literal = words.findIndex((word) => !isLiteral(word));
  const known = words.slice(0, literal < 0 ? undefined : literal).map(({ value }) => value);
  if (known.length === 0 || known.some((word) => word === '' || word === '$')) return undefined;
  const line = known.join(' ');
  const length = programOf(known[0] ?? '').prefixes?.find(([form]) => form.test(line))?.[1] ?? 0;
  // A quoted word with blanks is one word, however the joined line reads.
  const prefix = known.slice(0, length);
  const isPrefix = length > 0 && prefix.length === length && prefix.every((word) => !/\s/.test(word));
  if (isPrefix && ruleReaches(prefix, command)) return prefix;
  if (onlyReads(known[0] ?? '') && ruleReaches(known.slice(0, 1), command)) return known.slice(0, 1);
  return exactWords(command);
}

function exactWords(command: Command): readonly string[] | undefined {
  const words = ruleWords(command);
  const values = words.map(({ value }) => value);
  return words.every(isLiteral) && !values.some((word) => word === '' || word === '$') ? [...values, '$'] : undefined;
}
