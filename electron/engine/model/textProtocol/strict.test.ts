import { describe, expect, test } from 'vitest';
import { readReply } from './readReply.ts';
import type { ReadReply } from './reply.ts';

const call = (tool: string, given: object = {}) =>
  `<tool_call>${JSON.stringify({ type: 'tool_call', tool, arguments: given })}</tool_call>`;
const fence = (body: string, info = '') => `\`\`\`${info}\n${body}\n\`\`\``;

const read: readonly (readonly [string, string, ReadReply])[] = [
  ['plain text is text', 'Hello.', { content: 'Hello.', calls: [] }],
  [
    'a call alone',
    call('read_file', { path: 'a.ts' }),
    { content: '', calls: [{ tool: 'read_file', arguments: { path: 'a.ts' } }] },
  ],
  [
    'several calls with prose around them keep their order',
    `First ${call('a')} then\n${call('b', { n: 1 })} done`,
    {
      content: 'First  then\n done',
      calls: [
        { tool: 'a', arguments: {} },
        { tool: 'b', arguments: { n: 1 } },
      ],
    },
  ],
  [
    'a call in one fence around the whole reply',
    fence(call('a'), 'xml'),
    { content: '', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'two fences at the ends are taken for one around the whole reply',
    `${fence('a')}\nand\n${fence('b')}`,
    { content: 'a\n```\nand\n```\nb', calls: [] },
  ],
  [
    'a fence whose last line has words loses that line',
    `\`\`\`\n${call('a')}\nso\`\`\``,
    { content: '', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'a fence with line ends of Windows',
    `\`\`\`\r\nso\r\n${call('a')}\r\n\`\`\``,
    { content: 'so', calls: [{ tool: 'a', arguments: {} }] },
  ],
  ['a fence of two lines is text', '```\nfoo```', { content: '```\nfoo```', calls: [] }],
  ['a blank name is a name', call(' '), { content: '', calls: [{ tool: ' ', arguments: {} }] }],
  [
    'a stray opening tag beside a good block is no error',
    `${call('a')} <tool_call>{"type"`,
    { content: '<tool_call>{"type"', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'tags in any case',
    `<TOOL_CALL>{"type":"tool_call","tool":"a"}</Tool_Call>`,
    { content: '', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'a body over several lines',
    '<tool_call>\n{\n"type": "tool_call",\n"tool": "a"\n}\n</tool_call>',
    { content: '', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'a stray closing tag beside a good block is no error',
    `${call('a')}</tool_call>`,
    { content: '</tool_call>', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'a call within prose and a fence is executed',
    `Like this:\n${fence(call('a'))}\nor so`,
    { content: 'Like this:\n```\n\n```\nor so', calls: [{ tool: 'a', arguments: {} }] },
  ],
  [
    'a closing tag inside a string belongs to the string',
    call('write_file', { path: 'x', content: 'a </tool_call> b' }),
    {
      content: '',
      calls: [{ tool: 'write_file', arguments: { path: 'x', content: 'a </tool_call> b' } }],
      repairs: ['closing_tag_in_string'],
    },
  ],
  [
    'thinking at the start is reasoning, calls in it are not made',
    `<think>maybe ${call('a')}</think>\n${call('b')}`,
    { content: '', reasoning: `maybe ${call('a')}`, calls: [{ tool: 'b', arguments: {} }] },
  ],
  [
    'raw line breaks and tabs inside strings are repaired',
    '<tool_call>{"type":"tool_call","tool":"w","arguments":{"content":"a\n\tb"}}</tool_call>',
    { content: '', calls: [{ tool: 'w', arguments: { content: 'a\n\tb' } }], repairs: ['control_characters'] },
  ],
  ['a BOM is dropped', `\uFEFF${call('a')}`, { content: '', calls: [{ tool: 'a', arguments: {} }], repairs: ['bom'] }],
];

const refused: readonly (readonly [string, string, ReadReply['error']])[] = [
  ['nothing', ' \n ', 'empty_output'],
  ['an empty fence', '```\n\n```', 'empty_output'],
  ['only thinking', '<think>hm</think>', 'empty_output'],
  ['a call inside thinking that never ends', `<think>I could ${call('a')}`, 'empty_output'],
  ['an opening tag alone', 'so <tool_call>{"type":"tool_call"', 'unclosed_tool_call'],
  ['a closing tag alone', 'so </tool_call>', 'unclosed_tool_call'],
  ['a body cut off', '<tool_call>{"type":"tool_call","tool":"a","arguments":{"p":"x</tool_call>', 'json_decode_error'],
  ['an empty body', '<tool_call></tool_call>', 'json_decode_error'],
  ['a trailing comma', '<tool_call>{"type":"tool_call","tool":"a",}</tool_call>', 'json_decode_error'],
  ['single quotes', "<tool_call>{'type':'tool_call'}</tool_call>", 'json_decode_error'],
  ['a list', '<tool_call>[1]</tool_call>', 'invalid_structure'],
  ['a text', '<tool_call>"x"</tool_call>', 'invalid_structure'],
  ['another type', '<tool_call>{"type":"call","tool":"a"}</tool_call>', 'unknown_type'],
  ['no type', '<tool_call>{"tool":"a","arguments":{}}</tool_call>', 'unknown_type'],
  ['Hermes', '<tool_call>{"name":"a","arguments":{}}</tool_call>', 'unknown_type'],
  ['no name', '<tool_call>{"type":"tool_call","arguments":{}}</tool_call>', 'empty_tool_name'],
  ['an empty name', '<tool_call>{"type":"tool_call","tool":""}</tool_call>', 'empty_tool_name'],
  [
    'an opening tag with a blank in it',
    '<tool_call >{"type":"tool_call","tool":"a"}</tool_call>',
    'unclosed_tool_call',
  ],
  ['two blocks of which the first is not closed', `<tool_call>{"type":"tool_call"${call('a')}`, 'json_decode_error'],
  ['words behind the object', '<tool_call>{"type":"tool_call","tool":"a"} so</tool_call>', 'json_decode_error'],
  ['a number as name', '<tool_call>{"type":"tool_call","tool":1}</tool_call>', 'empty_tool_name'],
  ['a list as arguments', '<tool_call>{"type":"tool_call","tool":"a","arguments":[]}</tool_call>', 'invalid_arguments'],
  ['null as arguments', '<tool_call>{"type":"tool_call","tool":"a","arguments":null}</tool_call>', 'invalid_arguments'],
  [
    'a text as arguments',
    '<tool_call>{"type":"tool_call","tool":"a","arguments":"{}"}</tool_call>',
    'invalid_arguments',
  ],
  ['one bad block beside a good one', `${call('a')}<tool_call>{"type":"x"}</tool_call>`, 'unknown_type'],
];

describe('the strict text protocol', () => {
  test.each(read)('understands: %s', (_, text, expected) => {
    expect(readReply(text, 'strict')).toEqual(expected);
  });

  test.each(refused)('refuses: %s', (_, text, error) => {
    expect({ error: readReply(text, 'strict').error, calls: readReply(text, 'strict').calls }).toEqual({
      error,
      calls: [],
    });
  });
});
