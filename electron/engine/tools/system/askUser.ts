import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool } from '../frame/tool.ts';

/** More are a list that nobody reads. */
const maxChoices = 12;

/** A question in words. It waits at the gate like an approval, as long as it takes. */
export const askUser = defineTool({
  name: 'ask_user',
  category: 'system',
  permission: 'none',
  errors: ['NO_USER_AVAILABLE'],
  about:
    'Ask the person a question that only they can answer, and wait for the answer; choices are likely answers. Several at once are several calls.',
  input: () => z.object({ question: z.string(), choices: z.array(z.string()).optional() }),
  output: () => z.object({ question: z.string(), answer: z.string(), cancelled: z.boolean() }),
  text: ({ answer, cancelled }) => (cancelled ? '(no answer)' : answer),
  async plan({ question, choices: given = [] }) {
    if (question.trim() === '') return fail('VALIDATION_ERROR', 'The question is empty.');
    const choices = [...new Set(given.map((choice) => choice.trim()))].filter((choice) => choice !== '');
    if (choices.length > maxChoices) return fail('VALIDATION_ERROR', `At most ${maxChoices} choices can be offered.`);
    return ok({
      intent: {
        risk: 'none',
        effects: [],
        targets: [],
        summary: `Ask: ${question.split('\n', 1)[0] ?? ''}`,
        preview: { kind: 'question', question, ...(choices.length > 0 && { choices, isOpen: true }) },
      },
      plan: { question },
    });
  },
  run: async ({ question }, _hands, { answer }) =>
    ok({ question, answer: answer ?? '', cancelled: answer === undefined }),
});
