import { hostMatches } from '../../base/hostMatches.ts';
import type { HostRules } from '../../base/hostRules.ts';

export interface HostRule {
  readonly effect: 'deny' | 'ask';
  readonly host: string;
}

/** A stand-in for the rules of the permission room; the list may grow while it is in use. */
export function hostRules(rules: readonly HostRule[] = []): HostRules {
  return {
    forbidden(host, isApproved) {
      const hit = rules.find((rule) => hostMatches(rule.host, host) && (rule.effect === 'deny' || !isApproved));
      return hit && `the rule "${hit.effect} host ${hit.host}" forbids it`;
    },
    denied: () => rules.filter(({ effect }) => effect === 'deny').map(({ host }) => host),
  };
}
