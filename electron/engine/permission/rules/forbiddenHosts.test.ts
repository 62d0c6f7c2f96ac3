import { expect, test } from 'vitest';
import type { Intent } from '../../../../shared/model/intent.ts';
import type { Rule } from '../../../../shared/model/rule.ts';
import { allowed, judge, rule } from '../testing/judge.ts';
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

const spellings: readonly string[] = [
  ...['169.254.169.254', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '169.254.43518', '169.254.169.254.'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fe80::1]', '[fd00:ec2::254]', '100.100.100.200'],
  'Metadata.Google.Internal.',
];

test.each(spellings)('C9 C10: no page asks %s, where clouds tell secrets, unless its address was approved', (host) => {
  expect(under([]).forbidden(host, false)).toContain('clouds tell a machine its secrets');
  expect(under([rule('allow', { host: '*' })]).forbidden(host, false)).toContain('clouds tell');
  expect(under([]).forbidden(host, true)).toBeUndefined();
});

test.each(spellings)('C10: %s is asked, whatever is allowed', (host) => {
  const rules = [...allowed('curl'), rule('allow', { host: '*' })];
  for (const line of [`curl http://${host}/latest`, `curl -s ${host}`, `H=${host}; wget http://$H/`])
    expect({ line, verdict: judge(line, { allow: 'dangerous', rules }).verdict }).toEqual({ line, verdict: 'ask' });
  const page: Intent = {
    risk: 'moderate',
    effects: ['network'],
    targets: [{ kind: 'host', host }],
    summary: 'Open it',
    preview: { kind: 'none' },
  };
  const opened = { tool: 'browser_navigate', category: 'browser', allow: 'dangerous', rules } as const;
  expect(judge(page, opened)).toMatchObject({ verdict: 'ask', rememberable: false });
});

test('an address that only holds such digits is asked for as any other', () => {
  for (const host of ['example.com', '10.0.0.1', '127.0.0.1', 'localhost', '169.253.1.1', 'metadata'])
    expect(under([]).forbidden(host, false)).toBeUndefined();
  for (const line of ['curl https://example.com/169.254.169.254', 'git switch metadata', 'echo 169.254.169.254'])
    expect(judge(line, { allow: 'dangerous' }).verdict).toBe('allow');
});
