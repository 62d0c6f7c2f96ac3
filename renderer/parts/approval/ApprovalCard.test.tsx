import { expect, test } from 'vitest';
import type { Call } from '../../../shared/model/call.ts';
import { buttonsOf, markupOf } from '../../testing/markup.tsx';
import { approvalOf } from '../../testing/scenes.ts';
import { ApprovalCard } from './ApprovalCard.tsx';

const question = (more: object): Call => ({
  id: '1',
  turn: 't',
  tool: 'ask_user',
  input: {},
  level: 'none',
  state: 'waiting',
  proposedAt: '',
  intent: {
    risk: 'none',
    effects: [],
    targets: [],
    summary: 'Ask: Which?',
    preview: { kind: 'question', question: 'Which?', ...more },
  },
  approval: approvalOf(['the agent asks you']),
});
const cardOf = (more: object) => {
  const markup = markupOf(<ApprovalCard call={question(more)} session="s" project="/p" />);
  return {
    buttons: buttonsOf(markup).map((text) => text.replace(' (not now)', '')),
    hasField: /<(textarea|input)/.test(markup),
  };
};

test('a question with likely answers has them as buttons, and room for other words where they will do', () => {
  expect(cardOf({ choices: ['blue', 'green'], isOpen: true })).toEqual({
    buttons: ['blue', 'green', 'Answer', 'Deny…', 'Later'],
    hasField: true,
  });
  expect(cardOf({ choices: ['Go on', 'Stop here'] })).toEqual({
    buttons: ['Go on', 'Stop here', 'Later'],
    hasField: false,
  });
  const more = [{ question: 'How?', choices: ['so', 'thus'], isOpen: true }, { question: 'Why?' }];
  expect(cardOf({ choices: ['blue', 'green'], isOpen: true, isMultiple: true, more })).toEqual({
    buttons: ['Answer', 'Deny…', 'Later'],
    hasField: true,
  });
  expect(cardOf({})).toEqual({ buttons: ['Answer', 'Deny…', 'Later'], hasField: true });
});
