import { fail, ok } from '../../../../../shared/result.ts';
import { type Action, params } from '../action.ts';
import { calls, callTool, fields, listOf, textOf } from './callTool.ts';
import { history } from './thread.ts';

const chat = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'chat',
  action,
  about,
  params: params(flags),
  run,
});

export const chatActions: readonly Action[] = [
  chat('send', 'Show the user a message.', 'message*', async (given, ports) => {
    const message = textOf(given, 'message');
    if (message.trim() === '') return fail('VALIDATION_ERROR', '--message must not be blank');
    ports.tell('info', message);
    return ok({ sent: true });
  }),
  chat(
    'ask',
    'Ask the user a question and wait for the answer.',
    'message*',
    calls('ask_user', ({ message }) => ({ question: message })),
  ),
  chat(
    'confirm',
    'Ask the user to choose; --buttons is an array of texts.',
    'message* buttons:json',
    async (given, ports) => {
      const { buttons = ['Yes', 'No'] } = given;
      const choices = listOf(buttons).map((button) =>
        typeof button === 'string' ? button : textOf(fields(button), 'text') || textOf(fields(button), 'label'),
      );
      if (choices.length === 0 || choices.includes(''))
        return fail('VALIDATION_ERROR', '--buttons must be an array of texts');
      const asked = await callTool(ports, 'ask_user', {
        question: `${textOf(given, 'message')}\n(${choices.join(' / ')})`,
      });
      if (!asked.ok) return asked;
      const answer = textOf(fields(asked.value), 'answer').trim();
      const chosen = choices.find((choice) => choice.toLowerCase() === answer.toLowerCase());
      return ok({
        answer,
        button: chosen,
        confirmed: chosen !== undefined && chosen === choices[0],
      });
    },
  ),
  chat(
    'notify',
    'Show the user a notice; --type is info, warning or error.',
    'message* type*',
    async (given, ports) => {
      const type = textOf(given, 'type');
      const level = type === 'warning' || type === 'error' ? type : 'info';
      ports.tell(level, textOf(given, 'message'));
      return ok({ notified: true, type });
    },
  ),
  chat('history', 'The messages of a session.', 'thread*', (given, ports) => history(textOf(given, 'thread'), ports)),
];
