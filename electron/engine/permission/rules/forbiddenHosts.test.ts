import { expect, test } from 'vitest';
import type { Rule } from '../../../../shared/model/rule.ts';
import { rule } from '../testing/judge.ts';
import { createHostRules } from './forbiddenHosts.ts';

const under = (rules: readonly Rule[], broken: readonly string[] = []) =>
  createHostRules(() => ({ rules, broken, notices: [] }));

test('a deny rule for a host holds for what a page asks for, whoever approved its address', () => {
  const hosts = under([rule('deny', { host: '*.example.com' })]);
  const reason = 'the rule "deny host *.example.com" forbids it';
  expect(hosts.forbidden('A.example.com.', false)).toBe(reason);
  expect(hosts.forbidden('a.example.com', true)).toBe(reason);
  expect(hosts.forbidden('example.com', false)).toBeUndefined();
  expect(hosts.denied()).toEqual(['*.example.com']);
});

test('a rule that asks was answered for an address that passed the gate, and for no other', () => {
  const hosts = under([rule('ask', { host: 'a.example.com' }), rule('allow', { host: 'a.example.com' })]);
  expect(hosts.forbidden('a.example.com', true)).toBeUndefined();
  expect(hosts.forbidden('a.example.com', false)).toBe(
    'the rule "ask host a.example.com" says that it is asked; open its address by itself',
  );
  expect(hosts.denied()).toEqual([]);
});

test('a rule that is not about the browser does not concern its pages', () => {
  const host = 'a.example.com';
  const others = [
    rule('deny', { host, tool: 'run' }),
    rule('deny', { host, category: 'git' }),
    rule('deny', { host, path: 'x' }),
  ];
  expect(under(others).forbidden(host, false)).toBeUndefined();
  const own = [
    { host, tool: 'browser_click' },
    { host, category: 'browser' },
  ].map((match) => rule('deny', match));
  for (const one of own) expect(under([one]).forbidden(host, true)).toContain('forbids it');
});

test('while rules cannot be read, a page asks for nothing but what was approved', () => {
  const hosts = under([], ['rules.json is broken']);
  expect(hosts.forbidden('a.example.com', true)).toBeUndefined();
  expect(hosts.forbidden('a.example.com', false)).toBe('the rules cannot be read, and one of them may forbid it');
});
