import { type Rule, ruleText } from '../../../../shared/model/rule.ts';
import { hostMatches } from '../../base/hostMatches.ts';
import type { HostRules } from '../../base/hostRules.ts';
import { isMetadataHost } from '../../base/metadataHost.ts';
import type { LoadedRules } from './ruleStore.ts';

/** Nobody can be asked about a request of a page, so what is asked for an address is refused to what follows it. */
export function createHostRules(load: () => LoadedRules): HostRules {
  const concerned = (rules: readonly Rule[]) => rules.filter(isOfBrowser);
  return {
    forbidden(host, isApproved) {
      const { rules, broken } = load();
      const hit = concerned(rules).filter(({ match }) => hostMatches(match.host ?? '', host));
      const denied = hit.find(({ effect }) => effect === 'deny');
      if (denied) return `the rule "${ruleText(denied)}" forbids it`;
      if (isApproved) return undefined;
      if (isMetadataHost(host)) return 'clouds tell a machine its secrets there; open its address by itself';
      const asked = hit.find(({ effect }) => effect === 'ask');
      if (asked) return `the rule "${ruleText(asked)}" says that it is asked; open its address by itself`;
      return broken.length > 0 ? 'the rules cannot be read, and one of them may forbid it' : undefined;
    },
    denied: () => concerned(load().rules).flatMap(({ effect, match }) => (effect === 'deny' ? [match.host ?? ''] : [])),
  };
}

function isOfBrowser({ match }: Rule): boolean {
  return (
    match.host !== undefined &&
    match.command === undefined &&
    match.path === undefined &&
    (match.tool === undefined || match.tool.startsWith('browser_')) &&
    (match.category === undefined || match.category === 'browser')
  );
}
