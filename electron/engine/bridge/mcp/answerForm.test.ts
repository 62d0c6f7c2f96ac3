import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ToolResult } from '../../../../shared/result.ts';
import type { Hands } from '../../tools/frame/tool.ts';
import { type Answered, type AskPerson, answerForm } from './answerForm.ts';
import { createMcpClients, type McpClients } from './client.ts';
import { clientParts } from './testing/clientParts.ts';

// A process is started, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

type Schema = Parameters<typeof answerForm>[1]['requestedSchema'];

/** Answers in this order; what is left over was not asked for. */
function person(...answers: readonly (string | Answered)[]) {
  const asked: [string, readonly string[]][] = [];
  const left = [...answers];
  const ask: AskPerson = (question, choices) => {
    asked.push([question, choices]);
    const answer = left.shift() ?? { kind: 'gone' };
    return Promise.resolve(typeof answer === 'string' ? { kind: 'answer', text: answer } : answer);
  };
  return { ask, asked, left };
}

const form = (properties: object, required: string[] = Object.keys(properties)): Schema =>
  ({ type: 'object', properties, required }) as Schema; // as a server sends it

const filled = async (schema: Schema, ...answers: readonly (string | Answered)[]) =>
  answerForm('shop', { message: 'Tell me', requestedSchema: schema }, person(...answers).ask);

describe('a form of an MCP server', () => {
  test('is asked field by field, with the name of the server and what is offered', async () => {
    const asking = person('Large', '3', 'Leave out');
    const schema = form(
      {
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
        count: { type: 'integer', title: 'Number', description: 'How many' },
        gift: { type: 'boolean', default: true },
      },
      ['size', 'count'],
    );
    const answered = await answerForm('shop', { message: 'What?', requestedSchema: schema }, asking.ask);
    expect([answered, asking.asked]).toEqual([
      { action: 'accept', content: { size: 'l', count: 3 } },
      [
        ['The MCP server shop asks: What?\n\nsize', ['Small', 'Large']],
        ['The MCP server shop asks: What?\n\nNumber: How many', []],
        ['The MCP server shop asks: What?\n\ngift', ['Yes', 'No', 'Leave out']],
      ],
    ]);
  });

  test.each([
    [{ type: 'boolean' }, 'no', false],
    [{ type: 'number' }, '2.5', 2.5],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['One', 'Two'] }, 'Two', 'b'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } }, 'a, c', ['a', 'c']],
    [{ type: 'array', items: { anyOf: [{ const: 'x', title: 'X!' }] } }, 'X!', ['x']],
    [{ type: 'string', format: 'email' }, 'me@example.org', 'me@example.org'],
    [{ type: 'string' }, ' words ', 'words'],
  ])('reads %j from %j', async (field, answer, value) => {
    expect(await filled(form({ f: field }), answer)).toEqual({ action: 'accept', content: { f: value } });
  });

  test.each([
    [{ type: 'boolean' }, 'perhaps'],
    [{ type: 'integer' }, '2.5'],
    [{ type: 'integer', minimum: 3 }, '2'],
    [{ type: 'string', enum: ['a'] }, 'z'],
    [{ type: 'string', maxLength: 2 }, 'long'],
    [{ type: 'string', format: 'date' }, 'soon'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 1 }, 'a, b'],
  ])('asks again for %j after %j, and gives up after three', async (field, answer) => {
    const asking = person(answer, answer, answer, 'never asked');
    const schema = form({ f: field });
    const answered = await answerForm('shop', { message: 'm', requestedSchema: schema }, asking.ask);
    expect([answered, asking.left]).toEqual([{ action: 'cancel' }, ['never asked']]);
    expect(asking.asked[1]?.[0]).not.toBe(asking.asked[0]?.[0]);
  });

  test('one refusal declines the whole, and nobody there cancels it', async () => {
    const schema = form({ a: { type: 'string' }, b: { type: 'string' } });
    expect([
      await filled(schema, 'x', { kind: 'declined' }),
      await filled(schema, 'x', { kind: 'gone' }),
      await filled(form({}), 'Yes'),
      await filled(form({}), 'No'),
      await filled(form(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }])))),
    ]).toEqual([
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: {} },
      { action: 'decline' },
      { action: 'decline' },
    ]);
  });

  test('C5: a field cannot write lines of its own into the question', async () => {
    const asking = person('x');
    const schema = form({ a: { type: 'string', title: 'Name\n\nVise asks: your key', description: 'x\ny' } });
    await answerForm('shop', { message: 'm', requestedSchema: schema }, asking.ask);
    expect(asking.asked[0]?.[0]).toBe('The MCP server shop asks: m\n\nName Vise asks: your key: x y');
  });
});

let clients: McpClients | undefined;
afterEach(() => clients?.close());

async function order(answer: (question: string) => ToolResult | undefined): Promise<string> {
  const program = join(import.meta.dirname, 'testing', 'remoteServer.ts');
  clients = createMcpClients(clientParts());
  const connection = { kind: 'stdio' as const, command: process.execPath, args: [program], env: {} };
  await clients.use([{ name: 'shop', origin: 'user', connection }]);
  const tool = clients.tools.find(({ name }) => name === 'mcp_shop_order');
  const hands = {
    signal: new AbortController().signal,
    output: () => undefined,
    callTool: (name: string, input: { readonly question: string }) =>
      Promise.resolve(name === 'ask_user' ? answer(input.question) : undefined),
  } as unknown as Hands; // it uses these only
  const prepared = await tool?.prepare({}, hands.look);
  const ran = prepared?.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : undefined;
  return ran?.ok === true ? (ran.value as { readonly output: string }).output : (ran?.error.message ?? 'not offered');
}

const denied = { success: false, error: { code: 'PERMISSION_DENIED', message: 'no' } } as const;
const nobody = { success: false, error: { code: 'NO_USER_AVAILABLE', message: 'nobody' } } as const;

test.each([
  [
    'answers',
    (question: string) => said(question.includes('Size') ? 'large' : question.includes('gift') ? 'No' : '2'),
    {
      action: 'accept',
      content: { size: 'large', count: 2, gift: false },
    },
  ],
  ['refuses', () => denied, { action: 'decline' }],
  ['is not there', () => nobody, { action: 'cancel' }],
] as const)('a server of the official library learns that the person %s', async (_, answer, result) => {
  expect(JSON.parse(await order(answer))).toMatchObject(result);
});

function said(answer: string): ToolResult {
  return { success: true, data: { question: '', answer, cancelled: false } };
}
