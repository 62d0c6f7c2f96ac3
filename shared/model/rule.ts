import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** A name or an address: a rule for `example.com:8080` would never match, as hosts are compared without their port. */
const hostAlone = /^(?:[^\s/\\?#@:]+|\[?(?=.*:.*:)[0-9a-f:.]+\]?)$/i;

/**
 * A standing answer. All given matchers must match; a rule without a matcher is invalid.
 * `command` is a prefix of words: `["npm", "run", "test"]` matches `npm run test --silent`, never `npm run tester`;
 * a last word `$` ends the prefix exactly. `path` and `host` are globs (`src/**`, `*.example.org`).
 */
export const ruleMatch = z.lazy(() =>
  z
    .object({
      tool: z.string().min(1).optional(),
      category: z.string().min(1).optional(),
      command: z.array(z.string().min(1)).min(1).optional(),
      path: z.string().min(1).optional(),
      host: z
        .string()
        .regex(hostAlone, 'a host stands alone, as in example.com or *.example.com, without scheme, port or path')
        .optional(),
    })
    .refine((match) => Object.values(match).some((part) => part !== undefined), {
      message: 'a rule needs at least one of tool, category, command, path, host',
    }),
);

export const ruleScopes = ['session', 'project', 'user'] as const;

export const ruleSchema = z.lazy(() =>
  z.object({
    id: z.string().min(1),
    effect: z.enum(['allow', 'ask', 'deny']),
    scope: z.enum(ruleScopes),
    match: ruleMatch,
    /** ISO time. */
    createdAt: z.string().optional(),
    /** Where it came from: an approval's call id, or a file. */
    from: z.string().optional(),
  }),
);

export type Rule = Immutable<z.infer<typeof ruleSchema>>;
export type RuleMatch = Immutable<z.infer<typeof ruleMatch>>;
export type RuleScope = (typeof ruleScopes)[number];

/** The exact words of a rule, as every card, file and history shows them. */
export function ruleText(rule: Pick<Rule, 'effect' | 'match'>): string {
  const parts: string[] = [];
  if (rule.match.command) parts.push(`command ${rule.match.command.map(quoteWord).join(' ')}`);
  if (rule.match.tool) parts.push(`tool ${rule.match.tool}`);
  if (rule.match.category) parts.push(`category ${rule.match.category}`);
  if (rule.match.path) parts.push(`path ${rule.match.path}`);
  if (rule.match.host) parts.push(`host ${rule.match.host}`);
  return `${rule.effect} ${parts.join(', ')}`;
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./$-]+$/.test(word) ? word : JSON.stringify(word);
}
