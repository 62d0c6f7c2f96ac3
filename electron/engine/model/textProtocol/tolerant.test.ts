import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReply } from './readReply.ts';
import type { ReadReply, TextCall } from './reply.ts';

const fence = (body: string, info = '') => `\`\`\`${info}\n${body}\n\`\`\``;
const weather: TextCall = { tool: 'weather', arguments: { city: 'Rome', days: 2 } };
const hermes = '{"name": "weather", "arguments": {"city": "Rome", "days": 2}}';
const prompted = '<tool_call>{"type":"tool_call","tool":"weather","arguments":{"city":"Rome","days":2}}</tool_call>';
const qwen = '<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>';
const given = '{"city":"Rome","days":2}';
const invoke =
  '<invoke name="weather">\n<parameter name="city">Rome</parameter>\n<parameter name="days">2</parameter>\n</invoke>';
const glm =
  '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>';

const dialects: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['the prompted form', prompted, undefined],
  ['Hermes', `<tool_call>${hermes}</tool_call>`, ['hermes']],
  ['Hermes with parameters', `<tool_call>${hermes.replace('arguments', 'parameters')}</tool_call>`, ['hermes']],
  ['Hermes without its closing tag, but whole', `<tool_call>\n${hermes}`, ['missing_closing_tag', 'hermes']],
  [
    'arguments encoded twice',
    `<tool_call>{"name":"weather","arguments":${JSON.stringify('{"city":"Rome","days":2}')}}</tool_call>`,
    ['hermes', 'arguments_string'],
  ],
  [
    'the prompted form with arguments encoded twice',
    prompted.replace('{"city":"Rome","days":2}', JSON.stringify('{"city":"Rome","days":2}')),
    ['arguments_string'],
  ],
  [
    'single trailing commas',
    '<tool_call>{"name":"weather","arguments":{"city":"Rome","days":2,},}</tool_call>',
    ['trailing_comma', 'hermes'],
  ],
  [
    'the form of native calls',
    '<tool_call>{"type":"function","function":{"name":"weather","arguments":{"city":"Rome","days":2}}}</tool_call>',
    ['hermes'],
  ],
  ['function=', '<function=weather>{"city":"Rome","days":2}</function>', ['function_tag']],
  ['function name=', '<function name="weather">\n{"city":"Rome","days":2}\n</function>', ['function_tag']],
  [
    'function= inside tool_call',
    '<tool_call><function=weather>{"city":"Rome","days":2}</function></tool_call>',
    ['function_tag'],
  ],
  ['Qwen', qwen, ['function_tag', 'parameter_tags']],
  ['Qwen inside tool_call', `<tool_call>\n${qwen}\n</tool_call>`, ['function_tag', 'parameter_tags']],
  ['Qwen without the opening tool_call', `${qwen}\n</tool_call>`, ['function_tag', 'parameter_tags']],
  ['a bare object', hermes, ['bare_call', 'hermes']],
  [
    'a bare object of the prompted form',
    '{"type":"tool_call","tool":"weather","arguments":{"city":"Rome","days":2}}',
    ['bare_call'],
  ],
  ['a list of bare objects', `[${hermes}]`, ['bare_call', 'hermes']],
  ['a fenced object', fence(hermes, 'json'), ['fenced_call', 'bare_call', 'hermes']],
  ['a fenced object on one line', `\`\`\`json ${hermes}\`\`\``, ['fenced_call', 'bare_call', 'hermes']],
  ['a tag around an object', `<response>${hermes}</response>`, ['wrapper_tag', 'hermes']],
  [
    'a fenced tag around an object',
    fence(`<function_call> ${hermes}\n</function_call>`, 'json'),
    ['wrapper_tag', 'hermes'],
  ],
  ['a list of calls', "[weather(city='Rome', days=2)]", ['pythonic']],
  ['a marked list of calls', '<|python_start|>[weather(city="Rome", days=2)]<|python_end|>', ['pythonic']],
  ['thinking whose opening tag is missing', `it's about Rome</think>${prompted}`, ['think_unopened']],
  ['invoke', invoke, ['invoke_tag', 'parameter_tags']],
  ['invoke among function calls', `<function_calls>\n${invoke}\n</function_calls>`, ['invoke_tag', 'parameter_tags']],
  ['invoke with a namespace', `<minimax:tool_call>\n${invoke}\n</minimax:tool_call>`, ['invoke_tag', 'parameter_tags']],
  ['GLM', glm, ['glm']],
  ['GLM on one line', glm.replaceAll('\n', ''), ['glm']],
  ['Mistral', `[TOOL_CALLS][${hermes}]`, ['mistral', 'hermes']],
  ['Mistral with blanks', `[TOOL_CALLS] [ ${hermes} ]`, ['mistral', 'hermes']],
  ['Mistral with a name before its arguments', `[TOOL_CALLS]weather[ARGS]${given}`, ['mistral']],
  ['Mistral with a call id', `[TOOL_CALLS]weather[CALL_ID]abc123XYZ[ARGS]${given}`, ['mistral']],
  ['Mistral with a name only', `[TOOL_CALLS]weather${given}`, ['mistral']],
  [
    'DeepSeek',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n\`\`\`json\n${given}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ['deepseek'],
  ],
  [
    'newer DeepSeek',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>${given}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ['deepseek'],
  ],
  [
    'Kimi',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>${given}<|tool_call_end|><|tool_calls_section_end|>`,
    ['kimi'],
  ],
  [
    'harmony',
    `<|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>${given}<|call|>`,
    ['harmony'],
  ],
  [
    'harmony with its recipient in the role, its last token swallowed',
    `<|start|>assistant to=functions.weather<|channel|>commentary json<|message|>${given}`,
    ['harmony'],
  ],
];

const shown: readonly (readonly [string, string])[] = [
  ['a call in a fence within prose', `Write it so:\n${fence(prompted)}\nand it runs.`],
  ['a call in a tilde fence within prose', `Write it so:\n~~~\n${prompted}\n~~~\nand it runs.`],
  ['a call in a fence that never ends, behind prose', `Write it so:\n\`\`\`\n${prompted}`],
  ['a quoted call', `Write \`${prompted}\` and it runs.`],
  ['a bare object behind prose', `This is not a call:\n${hermes}`],
  ['a bare object before prose', `${hermes}\nwould be a call.`],
  ['an object that is data', '{"name": "Rome", "population": 3}'],
  ['a name without arguments', '{"name": "weather"}'],
  ['another type', '{"type":"person","name":"weather","arguments":{}}'],
  ['a tag around data', '<response>{"name": "Rome"}</response>'],
  ['a tag around a call that goes on', `<response>${hermes} and more</response>`],
  ['a list of values', '[1, 2, 3]'],
  ['positional arguments', '[weather("Rome")]'],
  ['an expression as value', '[weather(city=home)]'],
  ['an escape that could be misread', "[weather(city='\\x41')]"],
  ['a list that is nested without end', `[weather(city=${'['.repeat(100_000)}`],
  ['an index', 'x[weather(city="Rome")]'],
  ['a link', '[weather(city="Rome")](https://example.org)'],
  ['a quoted list of calls', '`[weather(city="Rome")]`'],
  ['a list of calls cut off', '[weather(city="Ro'],
  ['a token that is only mentioned', 'Mistral writes [TOOL_CALLS] before its calls.'],
  ['a quoted token', `Mistral writes \`[TOOL_CALLS][${hermes}]\` so.`],
  ['a token in a fence within prose', `So:\n${fence(`[TOOL_CALLS][${hermes}]`)}\nit goes.`],
  ['a tag of the Windows shell', 'Run <invoke-command> there.'],
  ['keys of GLM without their tag', '<arg_key>city</arg_key><arg_value>Rome</arg_value>'],
  ['a call of harmony behind prose', `So: <|channel|>commentary to=functions.weather<|message|>${given}<|call|>`],
  ['an empty fence in prose', 'Hello\n```json\n{}```'],
];

const broken: readonly (readonly [string, string, string])[] = [
  ['arguments cut off', '<tool_call>{"name":"weather","arguments":{"city":"Ro</tool_call>', 'json_decode_error'],
  [
    'arguments cut off without a closing tag',
    '<tool_call>{"name":"weather","arguments":{"city":"Ro',
    'unclosed_tool_call',
  ],
  [
    'a missing brace without a closing tag',
    '<tool_call>{"name":"weather","arguments":{"city":"Rome"}',
    'unclosed_tool_call',
  ],
  [
    'encoded arguments cut off',
    '<tool_call>{"name":"weather","arguments":"{\\"city\\":"}</tool_call>',
    'invalid_arguments',
  ],
  ['a plain text as arguments', '<tool_call>{"name":"weather","arguments":"Rome"}</tool_call>', 'invalid_arguments'],
  [
    'a comma and nothing else',
    '<tool_call>{"name":"weather","arguments":{"city":[,]}}</tool_call>',
    'json_decode_error',
  ],
  ['two commas', '<tool_call>{"name":"weather","arguments":{"city":"Rome",,}}</tool_call>', 'json_decode_error'],
  ['a bare object cut off', '{"name":"weather","arguments":{"city":"Ro', 'json_decode_error'],
  ['a parameter cut off', '<function=weather>\n<parameter=city>\nRo', 'unclosed_tool_call'],
  ['a function tag cut off', '<function=weather>{"city":"Ro', 'unclosed_tool_call'],
  [
    'text between parameters',
    '<function=weather><parameter=city>Rome</parameter> oh <parameter=days>2</parameter></function>',
    'unclosed_tool_call',
  ],
  ['no name', '<tool_call>{"name":"","arguments":{}}</tool_call>', 'empty_tool_name'],
  ['the prompted form without its type', '<tool_call>{"tool":"weather","arguments":{}}</tool_call>', 'unknown_type'],
  ['two objects in one tag', `<tool_call>${hermes}\n${hermes}</tool_call>`, 'json_decode_error'],
  ['an object and words in one tag', `<tool_call>${hermes} please</tool_call>`, 'json_decode_error'],
  ['single quotes', "<tool_call>{'name': 'weather', 'arguments': {}}</tool_call>", 'json_decode_error'],
  ['a comment', '<tool_call>{"name":"weather","arguments":{} // none\n}</tool_call>', 'json_decode_error'],
  ['a name and nothing else', '<tool_call>weather</tool_call>', 'json_decode_error'],
  ['a call in the manner of code', '<tool_call>weather(city="Rome")</tool_call>', 'json_decode_error'],
  ['a list as arguments', '<tool_call>{"name":"weather","arguments":[1]}</tool_call>', 'invalid_arguments'],
  ['invoke cut off', invoke.slice(0, -10), 'unclosed_tool_call'],
  ['invoke cut off in a parameter', invoke.slice(0, 50), 'unclosed_tool_call'],
  ['GLM cut off', glm.slice(0, -20), 'unclosed_tool_call'],
  ['GLM with a value that is not closed', glm.replace('</arg_value>', ''), 'unclosed_tool_call'],
  ['Mistral cut off', `[TOOL_CALLS][${hermes}`, 'unclosed_tool_call'],
  ['Mistral with arguments cut off', `[TOOL_CALLS]weather[ARGS]${given.slice(0, -3)}`, 'unclosed_tool_call'],
  ['Mistral with an object that is no call', '[TOOL_CALLS][{"city":"Rome"}]', 'unknown_type'],
  ['Mistral with broken JSON', '[TOOL_CALLS][{"name":"weather","arguments":{"city":Rome}}]', 'json_decode_error'],
  ['DeepSeek without its end', `<｜tool▁call▁begin｜>weather<｜tool▁sep｜>${given}`, 'unclosed_tool_call'],
  ['Kimi cut off', '<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city', 'unclosed_tool_call'],
  ['harmony cut off', '<|channel|>commentary to=functions.weather<|message|>{"city":"Ro', 'unclosed_tool_call'],
  [
    'harmony with broken JSON',
    '<|channel|>commentary to=functions.weather<|message|>{"city":Rome}<|call|>',
    'json_decode_error',
  ],
  ['harmony with only thoughts', '<|channel|>analysis<|message|>Hm.<|end|>', 'empty_output'],
  ['another object', '<tool_call>{"city":"Rome"}</tool_call>', 'unknown_type'],
  ['a list inside the tag', '<tool_call>[1]</tool_call>', 'invalid_structure'],
  ['one bad block beside a good one', `${prompted}<tool_call>{"x"</tool_call>`, 'json_decode_error'],
];

describe('the tolerant reader', () => {
  test.each(dialects)('understands %s', (_, text, repairs) => {
    const reply = readReply(text, 'tolerant');
    expect({ calls: reply.calls, repairs: reply.repairs, content: reply.content }).toEqual({
      calls: [weather],
      repairs,
      content: '',
    });
  });

  test.each(shown)('does not call %s', (_, text) => {
    expect(readReply(text, 'tolerant')).toEqual({ content: text, calls: [] });
  });

  test.each(broken)('refuses %s', (_, text, error) => {
    const reply = readReply(text, 'tolerant');
    expect({ calls: reply.calls, error: reply.error }).toEqual({ calls: [], error });
  });

  test('keeps prose around calls', () => {
    expect(readReply(`I look.\n<tool_call>${hermes}</tool_call>\nWait.`, 'tolerant').content).toBe('I look.\n\nWait.');
  });

  test('takes a call before a closing think tag for a thought, unless the tag stands inside the call', () => {
    const inside = '<tool_call>{"name":"write","arguments":{"content":"a</think>b"}}</tool_call>';
    const replies = [`maybe ${prompted}\n</think>\nNo.`, inside].map((text) => readReply(text, 'tolerant'));
    expect(replies).toEqual([
      { content: 'No.', reasoning: `maybe ${prompted}`, calls: [], repairs: ['think_unopened'] },
      { content: '', calls: [{ tool: 'write', arguments: { content: 'a</think>b' } }], repairs: ['hermes'] },
    ]);
  });

  test('reads the channels of harmony: thoughts, words, calls', () => {
    const text = `<|channel|>analysis<|message|>Rome?<|end|><|start|>assistant<|channel|>final<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.weather<|message|>${given}<|call|>`;
    expect(readReply(text, 'tolerant')).toEqual({
      content: 'I look.',
      reasoning: 'Rome?',
      calls: [weather],
      repairs: ['harmony'],
    });
  });

  test('takes a tag without its partner beside whole calls for a stray one, as the strict form does', () => {
    const text = `${prompted} and <tool_call>{"name":"wea`;
    const dialects = (['strict', 'tolerant'] as const).map((dialect) => readReply(text, dialect));
    const read: ReadReply = { content: 'and <tool_call>{"name":"wea', calls: [weather] };
    expect(dialects).toEqual([read, read]);
  });

  test('reads several calls written with tokens, and the words before them', () => {
    const mistral = `Look: [TOOL_CALLS]weather[ARGS]${given}[TOOL_CALLS]weather[ARGS]${given}`;
    const replies = [mistral, `Look: ${invoke}\n${invoke}`, `Look: ${glm}\n${glm}`];
    expect(replies.map((text) => readReply(text, 'tolerant').calls)).toEqual(replies.map(() => [weather, weather]));
    expect(replies.map((text) => readReply(text, 'tolerant').content)).toEqual(replies.map(() => 'Look:'));
  });

  test('none of the forms of other families is read in the strict dialect', () => {
    const texts = [invoke, `[TOOL_CALLS][${hermes}]`, qwen, `<|channel|>commentary to=a<|message|>{}`];
    expect(texts.map((text) => readReply(text, 'strict'))).toEqual(texts.map((content) => ({ content, calls: [] })));
    expect(readReply(glm, 'strict').error).toBe('json_decode_error');
  });

  test('takes a value that mentions its own closing tag whole', () => {
    const text = '<function=write><parameter=content>a </parameter> b</parameter></function>';
    expect(readReply(text, 'tolerant').calls).toEqual([{ tool: 'write', arguments: { content: 'a </parameter> b' } }]);
  });

  test('types parameters by the schema of a known tool: a file that holds JSON stays text', () => {
    const parameters = { type: 'object', properties: { content: { type: 'string' }, lines: { type: 'array' } } };
    const tools = [{ name: 'write', description: '', parameters }];
    const text = '<function=write><parameter=content>{"a":1}</parameter><parameter=lines>[1]</parameter></function>';
    expect(readReply(text, 'tolerant', tools).calls).toEqual([
      { tool: 'write', arguments: { content: '{"a":1}', lines: [1] } },
    ]);
  });

  test('takes a list of calls and tagged objects only for tools that exist, when those are known', () => {
    const tools = [{ name: 'read_file', description: '', parameters: {} }];
    const texts = ["[weather(city='Rome')]", `<json>${hermes}</json>`, "[read_file(path='a')]"];
    expect(texts.map((text) => readReply(text, 'tolerant', tools).calls.length)).toEqual([0, 0, 1]);
  });

  test('never throws and never finds a call in the beginning of a longer one', () => {
    for (const [, text] of dialects) {
      const whole = readReply(text, 'tolerant').calls;
      for (let end = 0; end < text.length; end += 1) {
        for (const call of readReply(text.slice(0, end), 'tolerant').calls) expect(whole).toContainEqual(call);
      }
    }
  });

  test('survives any mixture of its marks', () => {
    const marks = [
      '<tool_call>',
      '</tool_call>',
      '<function=a>',
      '</function>',
      '<parameter=b>',
      '</parameter>',
      '```',
      '\n',
      '{',
      '}',
      '"',
      '\\',
      '[',
      ']',
      'a(b=',
      ')',
      "'",
      '<think>',
      '</think>',
      '<json>',
      '</json>',
      ',',
      ':',
      hermes,
      ' ',
      'x',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 40 }), (parts) => {
        const reply = readReply(parts.join(''), 'tolerant');
        return reply.error === undefined || reply.calls.length === 0;
      }),
      { numRuns: 2_000 },
    );
  });

  // Quadratic reading would take minutes here; the test's own time limit is the guard.
  const units = [
    '<tool_call>',
    '</tool_call>',
    '<tool_call>{',
    '<json>{',
    '[a(b="',
    '<function=x><parameter=y>',
    '<think>',
    '```\n',
    '"</tool_call>',
    '{"a":',
    prompted,
    `${prompted}<tool_call>{`,
    '[TOOL_CALLS]',
    '[TOOL_CALLS]a{',
    '[TOOL_CALLS]a{}',
    '<invoke name="a">',
    '<invoke name="a"><parameter name="b">',
    '<tool_call>a<arg_key>b</arg_key><arg_value>',
    '<｜tool▁call▁begin｜>a<｜tool▁sep｜>{}',
    '<|channel|>final<|message|>',
  ];
  test('J5: a text with more calls than a reply may have is refused as a whole', () => {
    expect(readReply('[TOOL_CALLS]a{}'.repeat(1_001), 'tolerant')).toMatchObject({
      calls: [],
      error: 'invalid_structure',
      detail: 'more than 1000 calls',
    });
    expect(readReply('[TOOL_CALLS]a{}'.repeat(1_000), 'tolerant').calls).toHaveLength(1_000);
  });

  test.each(units)('reads a megabyte of %s in linear time', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(readReply(text, 'strict').calls.length + readReply(text, 'tolerant').calls.length).toBeGreaterThanOrEqual(0);
  });
});
