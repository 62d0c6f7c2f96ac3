import { expect, test } from 'vitest';
import { type Rule, type RuleMatch, ruleMatch, ruleText } from './rule.ts';

const text = (match: RuleMatch, effect: Rule['effect'] = 'allow') => ruleText({ effect, match });

test('the text of a rule names its effect and every matcher', () => {
  const match = { tool: 'run', category: 'system', command: ['npm', 'test'], path: 'src/**', host: '*.example.com' };
  expect(text(match, 'deny')).toBe('deny command npm test, tool run, category system, path src/**, host *.example.com');
  expect(text({ host: 'a.example.com' }, 'ask')).toBe('ask host a.example.com');
});

test('two rules that say different things have different texts', () => {
  const commands = [
    ['a', 'b'],
    ['a b'],
    ['a', 'b', '$'],
    ['a', '"b"'],
    ['a', 'b,'],
    ["a'b"],
    ['a', '', 'b'],
    ['a', '\n'],
  ];
  const texts = commands.map((command) => text({ command }));
  expect(new Set(texts).size).toBe(commands.length);
  expect(texts[1]).toBe('allow command "a b"');
});

test('a rule without a matcher is none', () => {
  expect(ruleMatch.safeParse({}).success).toBe(false);
  expect(ruleMatch.safeParse({ command: [] }).success).toBe(false);
  expect(ruleMatch.safeParse({ tool: 'run' }).success).toBe(true);
});
