import * as z from 'zod';
import type { Asked } from '../../../../shared/model/asked.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { defineTool } from '../frame/tool.ts';

/** More are a list that nobody reads. */
const maxChoices = 12;
const maxFurther = 7;

const questionSchema = z.lazy(() =>
  z.object({
    question: z.string(),
    choices: z.array(z.string()).optional(),
    /** Several of the choices may be taken. */
    multiple: z.boolean().optional(),
  }),
);

/** Questions in words. They wait at the gate like an approval, as long as it takes, and are answered as one message. */
export const askUser = defineTool({
  name: 'ask_user',
  category: 'system',
  permission: 'none',
  errors: ['NO_USER_AVAILABLE'],
  about:
    'Ask the person a question that only they can answer, and wait for the answer; choices are likely answers, of which multiple lets them take several. Ask further questions at once in more.',
  input: () => questionSchema.unwrap().extend({ more: z.array(questionSchema).max(maxFurther).optional() }),
  output: () => z.object({ question: z.string(), answer: z.string(), cancelled: z.boolean() }),
  text: ({ answer, cancelled }) => (cancelled ? '(no answer)' : answer),
  async plan({ more = [], ...first }) {
    const asked = askedOf(first);
    if (!asked.ok) return asked;
    const others: Asked[] = [];
    for (const one of more) {
      const other = askedOf(one);
      if (!other.ok) return other;
      others.push(other.value);
    }
    const [line = ''] = first.question.split('\n', 1);
    return ok({
      intent: {
        risk: 'none',
        effects: [],
        targets: [],
        summary: others.length === 0 ? `Ask: ${line}` : `Ask ${others.length + 1} questions: ${line}`,
        preview: { kind: 'question', ...asked.value, ...(others.length > 0 && { more: others }) },
      },
      plan: { question: first.question },
    });
  },
  run: async ({ question }, _hands, { answer }) =>
    ok({ question, answer: answer ?? '', cancelled: answer === undefined }),
});

function askedOf({ question, choices: given = [], multiple = false }: z.infer<typeof questionSchema>): Result<Asked> {
  if (question.trim() === '') return fail('VALIDATION_ERROR', 'The question is empty.');
  const choices = [...new Set(given.map((choice) => choice.trim()))].filter((choice) => choice !== '');
  if (choices.length > maxChoices) return fail('VALIDATION_ERROR', `At most ${maxChoices} choices can be offered.`);
  if (choices.length === 0) return ok({ question });
  return ok({ question, choices, isOpen: true, ...(multiple && { isMultiple: true }) });
}
