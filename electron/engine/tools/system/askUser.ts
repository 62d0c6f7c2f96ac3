import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool } from '../frame/tool.ts';

/** A question in words. It waits at the gate like an approval, as long as it takes. */
export const askUser = defineTool({
  name: 'ask_user',
  category: 'system',
  permission: 'none',
  errors: ['NO_USER_AVAILABLE'],
  about: 'Ask the person a question that only they can answer, and wait for the answer.',
  input: () => z.object({ question: z.string() }),
  output: () => z.object({ question: z.string(), answer: z.string(), cancelled: z.boolean() }),
  async plan({ question }) {
    if (question.trim() === '') return fail('VALIDATION_ERROR', 'The question is empty.');
    return ok({
      intent: {
        risk: 'none',
        effects: [],
        targets: [],
        summary: `Ask: ${question.split('\n', 1)[0] ?? ''}`,
        preview: { kind: 'question', question },
      },
      plan: { question },
    });
  },
  run: async ({ question }, _hands, { answer }) =>
    ok({ question, answer: answer ?? '', cancelled: answer === undefined }),
});
