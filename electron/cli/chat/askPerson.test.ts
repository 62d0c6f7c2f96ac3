import { expect, test } from 'vitest';
import type { Client } from '../../../shared/contract/client.ts';
import { createTestIo } from '../testing/testIo.ts';
import { askPerson } from './askPerson.ts';
import type { Terminal } from './terminal.ts';

test('C8: a reason for asking cannot print over what is asked', async () => {
  const prompts: string[] = [];
  const answers: unknown[] = [];
  const terminal: Terminal = {
    line: () => Promise.resolve(undefined),
    answer(prompt) {
      prompts.push(prompt);
      return Promise.resolve('y');
    },
    dismiss: () => undefined,
    onLine: () => undefined,
    onTab: () => undefined,
    onInterrupt: () => undefined,
    close: () => undefined,
  };
  const client = {
    call: (_method: string, input: unknown) => {
      answers.push(input);
      return Promise.resolve({ ok: true, value: {} });
    },
  } as unknown as Client;
  await askPerson(
    { io: createTestIo('/'), terminal, client, session: 's' },
    {
      type: 'permission.asked',
      call: 'c',
      approval: {
        askedAt: '',
        reasons: ['changes \u001B[2J.git'],
        severe: false,
        rememberable: false,
        suggestions: [],
      },
    },
    undefined,
  );
  expect([prompts, answers]).toEqual([
    ['Allow this (changes ␛[2J.git)? y/N '],
    [{ session: 's', call: 'c', decision: 'once' }],
  ]);
});
