import { describe, expect, test } from 'vitest';
import { allEvents, sampleRequest } from '../testing/modelEvents.ts';
import type { ModelClient, ModelEvent } from './base/port.ts';
import { TextModeClient } from './textMode.ts';
import { readReply } from './textProtocol/readReply.ts';

const hermes = '{"name": "weather", "arguments": {"city": "Rome", "days": 2}}';
const given = '{"city": "Rome", "days": 2}';
const wanted = { tool: 'weather', arguments: { city: 'Rome', days: 2 } };
const m3 = ']<]minimax[>[';
const prompted = '<tool_call>{"type":"tool_call","tool":"weather","arguments":{"city":"Rome","days":2}}</tool_call>';
const invoke =
  '<invoke name="weather">\n<parameter name="city">Rome</parameter>\n<parameter name="days">2</parameter>\n</invoke>';

/** How a family writes calls; `many` puts two into one reply. */
interface Family {
  readonly one: string;
  readonly many: string;
  /** What is left of it is a call as well: these end without a sign of their own. */
  readonly open?: true;
}

function between(open: string, close: string, call = hermes, join = ', ', brackets = true): Family {
  const wrap = (body: string): string => (brackets ? `${open}[${body}]${close}` : `${open}${body}${close}`);
  return { one: wrap(call), many: wrap(`${call}${join}${call}`) };
}

function twice(one: string, around: readonly [string, string] = ['', ''], join = '\n'): Family {
  return { one: `${around[0]}${one}${around[1]}`, many: `${around[0]}${one}${join}${one}${around[1]}` };
}

const families: Readonly<Record<string, Family>> = {
  'the prompted form': twice(prompted),
  Hermes: twice(`<tool_call>\n${hermes}\n</tool_call>`),
  'Granite 3': between('<|tool_call|> ', ''),
  'Granite 3.1': between('<tool_call> ', ''),
  'Granite 20b': twice(`<function_call> ${hermes}`),
  xLAM: between('<tool_call>', '</tool_call>'),
  'bare list': between('', ''),
  'Llama 3': { one: hermes.replace('arguments', 'parameters'), many: `${hermes}; ${hermes}` },
  'Llama 3 with its token': between('<|python_tag|>', '', hermes.replace('arguments', 'parameters'), '; ', false),
  'Llama 4': {
    one: '[weather(city="Rome", days=2)]',
    many: "<|python_start|>[weather(city='Rome', days=2), weather(city='Rome', days=2)]<|python_end|>",
  },
  Olmo: between('<function_calls>\n', '\n</function_calls>', "weather(city='Rome', days=2)", '\n', false),
  LFM2: between('<|tool_call_start|>', '<|tool_call_end|>', 'weather(city="Rome", days=2)'),
  'LFM2 with JSON': between('<|tool_call_start|>', '<|tool_call_end|>'),
  Jamba: between('<tool_calls>', '</tool_calls>'),
  'MiniMax M1': between('<tool_calls>\n', '\n</tool_calls>', hermes, '\n', false),
  'MiniMax M2': twice(invoke, ['<minimax:tool_call>\n', '\n</minimax:tool_call>']),
  'MiniMax M3': twice(`${m3}<invoke name="weather">${m3}<city>Rome${m3}</city>${m3}<days>2${m3}</days>${m3}</invoke>`, [
    `${m3}<tool_call>\n`,
    `\n${m3}</tool_call>`,
  ]),
  Nemotron: between('<TOOLCALL>', '</TOOLCALL>'),
  InternLM: twice(`<|action_start|><|plugin|>\n${hermes}<|action_end|>`),
  Phi: between('functools', ''),
  'Command R': between(
    '<|START_ACTION|>',
    '<|END_ACTION|>',
    `{"tool_call_id": "0", "tool_name": "weather", "parameters": ${given}}`,
  ),
  Apertus: between('<|tools_prefix|>', '<|tools_suffix|>', `{"weather": ${given}}`),
  LongCat: twice(`<longcat_tool_call>\n${hermes}\n</longcat_tool_call>`),
  GigaChat: twice(`<|function_call|>${hermes}`),
  HyperCLOVA: between('-> tool/function_call\n', ''),
  Pangu: between('[unused11]', '[unused12]'),
  Solar: twice(`<|tool_call:begin|>a1b2<|tool_call:name|>weather<|tool_call:args|>${given}<|tool_call:end|>`),
  FunctionGemma: twice(
    '<start_function_call>call:weather{city:<escape>Rome<escape>,days:<escape>2<escape>}<end_function_call>',
  ),
  'Gemma 4': twice('<|tool_call>call:weather{city:<|"|>Rome<|"|>,days:2}<tool_call|>', ['', ''], ''),
  'Kimi K2': twice(
    `<|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>${given}<|tool_call_end|>`,
    ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
    '',
  ),
  'Kimi K3': twice(
    '<|open|>call tool="weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Rome<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|>',
    ['<|open|>tools<|sep|>', '<|close|>tools<|sep|><|close|>message<|sep|>'],
    '',
  ),
  'DeepSeek 3.1': twice(
    `<｜tool▁call▁begin｜>weather<｜tool▁sep｜>${given}<｜tool▁call▁end｜>`,
    ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    '',
  ),
  'DeepSeek 3.2': twice(
    '<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Rome</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>',
    ['<｜DSML｜function_calls>\n', '\n</｜DSML｜function_calls>'],
  ),
  'GigaChat 3.5': twice(
    '<｜GCML｜invoke name="weather"><｜GCML｜parameter name="city" string="true">Rome</｜GCML｜parameter><｜GCML｜parameter name="days" string="false">2</｜GCML｜parameter></｜GCML｜invoke>',
    ['<｜GCML｜tool_calls>', '</｜GCML｜tool_calls>'],
    '',
  ),
  'Step 3': twice(
    '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="weather"><steptml:parameter name="city">Rome</steptml:parameter><steptml:parameter name="days">2</steptml:parameter></steptml:invoke><｜tool_call_end｜>',
    ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
  ),
  'Qwen coder': twice(
    '<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>',
  ),
  'Seed OSS': twice(
    '<function=weather>\n<parameter=city>Rome</parameter>\n<parameter=days>2</parameter>\n</function>',
    ['<seed:tool_call>\n', '\n</seed:tool_call>'],
  ),
  MiniCPM: twice('<function name="weather"><param name="city">Rome</param><param name="days">2</param></function>'),
  GLM: twice(
    '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>',
  ),
  Hunyuan: twice(
    '<tool_call>weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>',
    ['<tool_calls>\n', '\n</tool_calls>'],
  ),
  Mistral: between('[TOOL_CALLS]', ''),
  'newer Mistral': twice(`[TOOL_CALLS]weather[ARGS]${given}`, ['', ''], ''),
  harmony: twice(
    `<|start|>assistant<|channel|>commentary to=functions.weather<|message|>${given}<|call|>`,
    ['', ''],
    '',
  ),
  Functionary: twice(`>>>weather\n${given}`, ['', ''], '\n'),
};
const all = Object.entries(families);
/** Those that must stand at the beginning of a reply. */
const wholeReplies = new Set(['bare list', 'Llama 3', 'harmony', 'Functionary']);
const embedded = all.filter(([name]) => !wholeReplies.has(name));

const read = (text: string) => readReply(text, 'tolerant');

/** What text mode makes of a reply that arrives in these pieces, restarts taken into account. */
async function streamed(pieces: readonly string[]) {
  const inner: ModelClient = {
    async *stream(): AsyncIterable<ModelEvent> {
      for (const text of pieces) yield { type: 'text', text };
      yield { type: 'finish', reason: 'stop' };
    },
    dispose() {},
  };
  const client = new TextModeClient(inner, { dialect: 'tolerant', newId: () => 'id' });
  const request = { ...sampleRequest, tools: [] };
  let content = '';
  let restarts = 0;
  const calls: unknown[] = [];
  for (const event of await allEvents(client.stream(request, new AbortController().signal))) {
    if (event.type === 'restart') {
      content = '';
      restarts += 1;
    }
    if (event.type === 'text') content += event.text;
    if (event.type === 'call') calls.push({ tool: event.name, arguments: JSON.parse(event.argumentsText) as unknown });
  }
  return { content, calls, restarts };
}

describe('calls as model families write them', () => {
  test.each(all)('%s: one call, two calls, and nothing of their signs in the words', (_, { one, many }) => {
    expect(read(one)).toMatchObject({ calls: [wanted], content: '' });
    expect(read(many)).toMatchObject({ calls: [wanted, wanted], content: '' });
  });

  test.each(embedded)('%s: words before a call, thoughts before both, and the end of the turn behind', (_, { one }) => {
    expect(read(`I look.\n${one}`)).toMatchObject({ calls: [wanted], content: 'I look.' });
    expect(read(`<think>Rome?</think>I look. ${one}<|im_end|>`)).toMatchObject({
      calls: [wanted],
      content: 'I look.',
      reasoning: 'Rome?',
    });
  });

  test.each(embedded)('%s: a call that is shown in a fence, or thought about, is not made', (_, { one }) => {
    const shown = `Write it so:\n\`\`\`\n${one}\n\`\`\`\nand it runs.`;
    expect(read(shown)).toMatchObject({ calls: [], content: shown });
    expect(read(`<think>maybe ${one}</think>No.`)).toMatchObject({ calls: [], content: 'No.' });
  });

  test.each(all)('%s: cut off anywhere, no call is made that was not written', (_, { one, many }) => {
    for (const text of [one, many]) {
      for (let end = 0; end < text.length; end += 1) {
        const { calls, error } = read(text.slice(0, end));
        for (const call of calls) expect(call).toEqual(wanted);
        if (error !== undefined) expect(calls).toEqual([]);
      }
    }
  });

  test.each(all)('%s: split anywhere, the stream says the same as the whole', async (name, { one }) => {
    const text = wholeReplies.has(name) ? one : `I look: ${one}`;
    const whole = read(text);
    for (let at = 1; at < text.length; at += 1) {
      const told = await streamed([text.slice(0, at), text.slice(at)]);
      expect({ at, ...told }).toEqual({ at, content: whole.content, calls: whole.calls, restarts: told.restarts });
    }
  });

  test.each(embedded)('%s: letter by letter, nothing of its signs is ever shown as words', async (_, { many }) => {
    const told = await streamed([...`I look - so -> x: ${many}`]);
    expect(told).toEqual({ content: 'I look - so -> x:', calls: [wanted, wanted], restarts: 0 });
  });

  test.each(all)('%s: letters of all kinds, escapes and marks stay what they are', (_, { one }) => {
    const city = 'Ὀλυμπία 🏛 "a\\b" </x> {';
    const escaped = JSON.stringify(city).slice(1, -1);
    const isText = /(?:[>\n]|escape>|\|>)Rome/.test(one);
    const text = one.replace('Rome', () =>
      isText ? city : /'Rome'/.test(one) ? escaped.replaceAll("'", "\\'") : escaped,
    );
    expect(read(text).calls).toEqual([{ tool: 'weather', arguments: { city, days: 2 } }]);
  });

  test.each([
    ['a tag in a sentence', 'Jamba puts <tool_calls> around its calls.'],
    ['an index in code', 'functools[0] is no call.'],
    ['a tag around other data', '<tool_calls>[{"city": "Rome"}]</tool_calls>'],
    ['a list of calls that goes on', `<tool_calls>[${hermes}] and more words`],
    ['a prompt of Python', '>>> weather\nsunny'],
    ['a call of Python behind its token', '<|python_tag|>print(1)'],
    ['a tag of the shell', 'see <function_calls> in the log'],
    ['JSON behind a name', 'Output\n{"a": 1}'],
  ])('%s is no call', (_, text) => {
    expect(read(text)).toMatchObject({ content: text, calls: [] });
    expect(read(text).error).toBeUndefined();
  });

  test.each([
    ['a list behind a token that ends early', '<|tool_call|>[{"name": "weather", "argu', 'unclosed_tool_call'],
    ['another object behind a token', '<|START_ACTION|>[{"city": "Rome"}]<|END_ACTION|>', 'unknown_type'],
    ['broken JSON behind a token', '<|action_start|><|plugin|>{"name": weather}<|action_end|>', 'json_decode_error'],
    ['one bad call among good ones', `<|tool_call|>[${hermes}, {"name": ""}]`, 'unknown_type'],
    ['Gemma without its end', '<start_function_call>call:weather{city:<escape>Ro', 'unclosed_tool_call'],
    ['Kimi K3 without its end', families['Kimi K3']?.one.slice(0, 90) ?? '', 'unclosed_tool_call'],
    ['elements that are not closed', `${m3}<invoke name="weather">${m3}<city>Ro`, 'unclosed_tool_call'],
    ['Olmo without its end', "<function_calls>weather(city='Rome')", 'unclosed_tool_call'],
    ['Functionary without its end', '>>>weather\n{"city": "Ro', 'unclosed_tool_call'],
  ])('%s is an error, and nothing is called', (_, text, error) => {
    expect(read(text)).toMatchObject({ calls: [], error });
  });

  test('an element with the name of a tool is a call where its children are the arguments of that tool', () => {
    const parameters = { properties: { path: { type: 'string' }, content: { type: 'string' } } };
    const tools = [{ name: 'write_file', description: '', parameters }];
    const text = 'I write.\n<write_file>\n<path>a.ts</path>\n<content>\nlet b = "<i>";\n</content>\n</write_file>';
    expect(readReply(text, 'tolerant', tools)).toMatchObject({
      content: 'I write.',
      calls: [{ tool: 'write_file', arguments: { path: 'a.ts', content: 'let b = "<i>";' } }],
    });
    const others = [
      [text, []],
      [text.replaceAll('path', 'place'), tools],
      ['<write_file></write_file>', tools],
      [`\`\`\`xml\n${text}\n\`\`\`\nIt goes so.`, tools],
      [`Say <write_file><path>a</path></write_file> so.`, tools],
    ] as const;
    for (const [other, known] of others)
      expect(readReply(other, 'tolerant', known)).toMatchObject({ content: other, calls: [] });
    expect(readReply(text.replace('</content>', ''), 'tolerant', tools)).toMatchObject({
      calls: [],
      error: 'unclosed_tool_call',
    });
  });

  test.each([
    ['[THINK]Rome?[/THINK]'],
    ['<seed:think>Rome?</seed:think>'],
    ['<|START_THINKING|>Rome?<|END_THINKING|>'],
    ['<|inner_prefix|>Rome?<|inner_suffix|>'],
    ['<|channel>thought\nRome?<channel|>'],
    ['<|open|>think<|sep|>Rome?<|close|>think<|sep|>'],
    ['Rome?[/THINK]'],
    ['Rome?<|close|>think<|sep|>'],
  ])('thoughts in %s stay apart from the words', (thought) => {
    expect(read(`${thought}\nI look. ${prompted}`)).toMatchObject({
      reasoning: 'Rome?',
      content: 'I look.',
      calls: [wanted],
    });
  });

  test.each([
    ['<|START_RESPONSE|>Hello<|END_RESPONSE|>', 'Hello'],
    ['<|open|>response<|sep|>Hello<|close|>response<|sep|><|close|>message<|sep|>', 'Hello'],
    ['<think>Rome?</think><response>\nHello\n</response>', 'Hello'],
    ['<response>Hello</response>', '<response>Hello</response>'],
  ])('the words of %s are said without what stands around them', (text, content) => {
    expect(read(text)).toMatchObject({ calls: [], content });
  });

  test.each<[string, string, object]>([
    ['empty text for no arguments', '<tool_call>{"name": "f", "arguments": ""}</tool_call>', {}],
    [
      'text that is marked as such',
      '<function name="f"><param name="a"><![CDATA[1 < 2]]></param></function>',
      { a: '1 < 2' },
    ],
    [
      'a set',
      "<|tool_call_start|>[f(a={'x', 'y'}, b={'k': 1}, c={})]<|tool_call_end|>",
      { a: ['x', 'y'], b: { k: 1 }, c: {} },
    ],
    [
      'a single call without its own tokens',
      '<｜tool▁calls▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": 1}\n```<｜tool▁calls▁end｜>',
      { a: 1 },
    ],
  ])('%s is understood', (_, text, given) => {
    expect(read(text)).toMatchObject({ calls: [{ tool: 'f', arguments: given }], content: '' });
  });

  test('a list of calls without arguments is one where it is the whole reply, a number that JSON lacks is none', () => {
    expect(read('[get_time(), get_date()]').calls.map(({ tool }) => tool)).toEqual(['get_time', 'get_date']);
    for (const text of ['See [get_time()].', '[f(a=1e999)]']) expect(read(text)).toEqual({ content: text, calls: [] });
  });

  test('white space around an inline value belongs to it, the lines around a value of its own lines do not', () => {
    const inline = (value: string) =>
      `<steptml:invoke name="f"><steptml:parameter name="a">${value}</steptml:parameter></steptml:invoke>`;
    for (const value of ['  x', 'x\n', 'if:\n  x\n'])
      expect(read(inline(value)).calls[0]?.arguments).toEqual({ a: value });
    expect(read(inline('\nx\n')).calls[0]?.arguments).toEqual({ a: 'x' });
    expect(read('<function=f><parameter=a>\nx</parameter></function>').calls[0]?.arguments).toEqual({ a: 'x' });
  });

  test('a value is read as its tag or its schema says, also where the schema has choices', () => {
    const parameter = (value: string, kind: string) =>
      `<｜DSML｜invoke name="f"><｜DSML｜parameter name="a"${kind}>${value}</｜DSML｜parameter></｜DSML｜invoke>`;
    const choice = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const tools = [{ name: 'f', description: '', parameters: { properties: { a: choice } } }];
    const a = (value: string, kind = '') =>
      readReply(parameter(value, kind), 'tolerant', tools).calls[0]?.arguments['a'];
    expect([a('42'), a('null'), a('"x"'), a('"x"', ' string="false"'), a('42', ' string="true"')]).toEqual([
      '42',
      null,
      '"x"',
      'x',
      '42',
    ]);
  });

  test('the words that Step puts before its calls are no words for the person', () => {
    const call = (n: number) =>
      `<｜tool_call_begin｜>function<｜tool_sep｜>f\n<steptml:invoke name="f"><steptml:parameter name="a">${n}</steptml:parameter></steptml:invoke><｜tool_call_end｜>`;
    const text = `I look.<｜tool_calls_begin｜>${call(1)}<｜tool_sep｜>${call(2)}<｜tool_calls_end｜>`;
    expect(read(text)).toMatchObject({ content: 'I look.', calls: [{ arguments: { a: 1 } }, { arguments: { a: 2 } }] });
  });

  test('Gemma’s bare words: numbers with a point, nothing at all', () => {
    const text = '<|tool_call>call:f{a:108.,b:,c:-2.5,d:null,e:two words}<tool_call|>';
    expect(read(text).calls[0]?.arguments).toEqual({ a: 108, b: '', c: -2.5, d: null, e: 'two words' });
  });

  test('a name alone is a call of a tool that exists, and of no other', () => {
    const tools = [{ name: 'get_time', description: '', parameters: {} }];
    const text = (name: string) => `<tool_call>${name}\n</tool_call>`;
    expect(readReply(text('get_time'), 'tolerant', tools).calls).toEqual([{ tool: 'get_time', arguments: {} }]);
    expect(readReply(text('get_date'), 'tolerant', tools).error).toBe('json_decode_error');
    expect(read(text('get_date')).calls).toEqual([{ tool: 'get_date', arguments: {} }]);
    expect(read('<tool_call>get_date</tool_call>').error).toBe('json_decode_error');
  });

  test('nested elements become objects and lists, by the schema where there is one', () => {
    const item = (n: number) => `${m3}<item>${m3}<sku>0${n}${m3}</sku>${m3}</item>`;
    const text = `${m3}<invoke name="order">${m3}<to>${m3}<zip>018${m3}</zip>${m3}<tag>a${m3}</tag>${m3}<tag>b${m3}</tag>${m3}</to>${m3}<items>${item(1)}${item(2)}${m3}</items>${m3}</invoke>`;
    const sku = { type: 'string' };
    const parameters = {
      properties: { items: { type: 'array', items: { type: 'object', properties: { sku } } } },
    };
    expect(readReply(text, 'tolerant', [{ name: 'order', description: '', parameters }]).calls).toEqual([
      { tool: 'order', arguments: { to: { zip: '018', tag: ['a', 'b'] }, items: [{ sku: '01' }, { sku: '02' }] } },
    ]);
  });

  test.each(
    [
      '<tool_calls>[{"name":',
      '<|tool_call|>',
      'functools[',
      '<|tool_call>call:a{b:',
      `${m3}<invoke name="a">`,
      '>>>a\n',
      '<function_calls>a(b=',
      '<|open|>call tool="a"<|sep|>',
      '[THINK]',
      '{"name":"a"};',
    ].map((unit) => [unit]),
  )('reads a megabyte of %s in linear time', (unit) => {
    expect(read(unit.repeat(Math.ceil(1_000_000 / unit.length))).calls.length).toBeGreaterThanOrEqual(0);
  });
});
