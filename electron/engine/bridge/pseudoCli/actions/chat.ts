import { type Action, params } from '../action.ts';
import { calls } from './callTool.ts';

export const chatActions: readonly Action[] = [
  {
    module: 'chat',
    action: 'ask',
    about: 'Ask the user a question and wait for the answer.',
    params: params('message*'),
    run: calls('ask_user', ({ message }) => ({ question: message })),
  },
];
