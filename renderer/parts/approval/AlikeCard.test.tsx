import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { buttonsOf, markupOf, textOf } from '../../testing/markup.tsx';
import { approvalOf } from '../../testing/scenes.ts';
import { WaitingCard } from './WaitingCard.tsx';

const rule: Rule = { id: 'r', effect: 'allow', scope: 'project', match: { command: ['npm', 'test'] } };
const run = (id: string, command: string, suggestions: readonly Rule[] = [rule]): Call => ({
  id,
  turn: 't',
  tool: 'run',
  input: {},
  level: 'dangerous',
  state: 'waiting',
  proposedAt: '',
  intent: {
    risk: 'dangerous',
    effects: ['executes'],
    targets: [],
    summary: `Run ${command}`,
    preview: { kind: 'command', command, cwd: '/p', mode: 'shell', hash: '' },
  },
  approval: { ...approvalOf(['commands are asked each time']), rememberable: true, suggestions },
});
const cardOf = (...calls: readonly Call[]): string =>
  markupOf(<WaitingCard calls={calls} session="s" project="/p" onReview={() => undefined} />);

test('commands that are alike are one card that shows each of them whole, and none of its answers counts too early', () => {
  const markup = cardOf(run('1', 'npm test a'), run('2', 'npm test b\u001b[2K'), run('3', 'npm test c'));
  const text = textOf(markup);
  expect(text).toContain('Run 3 commands of npm');
  for (const command of ['npm test a', 'npm test b', 'npm test c']) expect(text).toContain(command);
  expect(text).toContain('Hidden characters are marked');
  expect(buttonsOf(markup)).toEqual([
    'All 3 once (not now)',
    'Session (not now)',
    'Deny all… (not now)',
    'One by one',
    'Later',
  ]);
});

test('the session is offered only where one rule would have allowed all of them', () => {
  const other: Rule = { ...rule, match: { command: ['npm', 'run', 'b'] } };
  const buttons = buttonsOf(cardOf(run('1', 'npm test a'), run('2', 'npm run b', [other])));
  expect(buttons).not.toContain('Session (not now)');
});
