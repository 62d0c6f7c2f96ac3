import type { Approval } from '../../../shared/model/call.ts';
import type { Rule } from '../../../shared/model/rule.ts';

/** The rules that *Session* may save: suggestions for the session, else the suggestions narrowed to it. */
export function sessionRules({ suggestions }: Approval): readonly Rule[] {
  const own = suggestions.filter(({ scope }) => scope === 'session');
  return own.length > 0 ? own : suggestions.map((rule) => ({ ...rule, scope: 'session' as const }));
}

/** The rules that *Always* may save: suggestions that outlive the session, else the suggestions widened to the project. */
export function standingRules({ suggestions }: Approval): readonly Rule[] {
  const own = suggestions.filter(({ scope }) => scope !== 'session');
  return own.length > 0 ? own : suggestions.map((rule) => ({ ...rule, scope: 'project' as const }));
}
