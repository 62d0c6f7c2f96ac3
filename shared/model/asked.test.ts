import { expect, test } from 'vitest';
import { answerText } from './asked.ts';

const colour = { question: 'Which colour?', choices: ['blue', 'green'] };
const size = { question: 'How large?' };

test('the answer to a single question is the words themselves', () => {
  expect([
    answerText([size], [{ picked: [], text: 'as it is' }]),
    answerText([colour], [{ picked: ['blue'], text: ' ' }]),
    answerText([colour], [{ picked: ['blue', 'green'], text: ' with dots ' }]),
    answerText([colour], []),
  ]).toEqual(['as it is', 'blue', '- blue\n- green\n- with dots', '']);
});

test('answers to several questions are one message, each below its question', () => {
  expect([
    answerText([colour, size], [{ picked: ['green'], text: '' }]),
    answerText([colour, size], [{ picked: [], text: '' }]),
  ]).toEqual(['1. Which colour?\ngreen\n\n2. How large?\n(no answer)', '']);
});
