import { expect, test } from 'vitest';
import type { Approval } from '../../../shared/model/call.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { sessionRules, standingRules } from './ruleChoice.ts';

const rule = (id: string, scope: Rule['scope']): Rule => ({ id, effect: 'allow', scope, match: { command: ['npm'] } });
const approval = (...suggestions: Rule[]): Approval => ({
  askedAt: '',
  reasons: [],
  severe: false,
  rememberable: true,
  suggestions,
});

test('Session saves a rule made for the session, Always one that outlives it', () => {
  const asked = approval(rule('a', 'session'), rule('b', 'project'), rule('c', 'user'));
  expect({
    session: sessionRules(asked).map(({ id }) => id),
    standing: standingRules(asked).map(({ id }) => id),
  }).toEqual({ session: ['a'], standing: ['b', 'c'] });
});

test('Session never saves a rule that outlives the session, even if only such were suggested', () => {
  expect(sessionRules(approval(rule('b', 'user')))).toEqual([rule('b', 'session')]);
});

test('Always widens a suggestion for the session to the project and no further', () => {
  expect(standingRules(approval(rule('a', 'session')))).toEqual([rule('a', 'project')]);
});
