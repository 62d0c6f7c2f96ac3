import { describe, expect, test } from 'vitest';
import { allActions } from './actions/all.ts';
import { createPseudoCli, type ParseOnly } from './pseudoCli.ts';
import { noThreads } from './testing/noThreads.ts';

/** The case table of the pseudo CLI's reference, row by row. */
const cli = createPseudoCli([
  ...allActions([]),
  {
    module: 'probe',
    action: 'read',
    about: 'Declares one parameter of each type.',
    params: [
      { name: 'data', flag: '--data', type: 'json', required: false },
      { name: 'id', flag: '--id', type: 'string', required: false },
      { name: 'message', flag: '--message', type: 'string', required: false },
      { name: 'recursive', flag: '--recursive', type: 'boolean', required: false },
      { name: 'max', flag: '--max', type: 'number', required: false },
      { name: 'no-color', flag: '--no-color', type: 'boolean', required: false },
      { name: 'processId', flag: '--process-id', type: 'number', required: false },
      { name: 'mode', flag: '--mode', type: 'auto|foreground', required: false },
    ],
    run: () => Promise.reject(new Error('must not run')),
  },
]);

const parse = (rest: string): ParseOnly => cli.parseOnly(`codebolt fs read ${rest}`);
const declared = (rest: string): ParseOnly => cli.parseOnly(`codebolt probe read ${rest}`);

type Row = readonly [row: string, rest: string, params: Record<string, unknown>, ignored?: readonly string[]];

const generic: readonly Row[] = [
  ['1', '--path "./src/index.ts"', { path: './src/index.ts' }],
  ['2', "--path './a b.ts'", { path: './a b.ts' }],
  ['3', '--path a"b c"d', { path: 'ab cd' }],
  ['4', '--path "say \\"hi\\""', { path: 'say "hi"' }],
  ['5', "--path 'it\\'s'", { path: "it's" }],
  ['6', '--path "a\\\\b"', { path: 'a\\b' }],
  ['7', '--path "C:\\new"', { path: 'C:\\new' }],
  ['8', '--path C:\\dir', { path: 'C:\\dir' }],
  ['9', '--path a\\ b', { path: 'a\\' }, ['b']],
  ['10', '--path ""', { path: '' }],
  ['11', '--recursive', { recursive: true }],
  ['12', '--no-recursive', { recursive: false }],
  ['13a', '--recursive true', { recursive: true }],
  ['13b', '--recursive false', { recursive: false }],
  ['14', '--recursive "false"', { recursive: 'false' }],
  ['15a', '--max 5', { max: 5 }],
  ['15b', '--max -5', { max: -5 }],
  ['15c', '--max 1.5', { max: 1.5 }],
  ['15d', '--max 007', { max: 7 }],
  ...['+5', '1e3', '.5', '5.', '0x1F', '1,000'].map((text): Row => [`16 ${text}`, `--max ${text}`, { max: text }]),
  ['17', '--max "5"', { max: '5' }],
  ['19', '--data {"status":"done"}', { data: { status: 'done' } }],
  ['20', '--data { "a" : [1, 2, {"b":"} ]"}] }', { data: { a: [1, 2, { b: '} ]' }] } }],
  ['21', '--data {"s":"quote \\" and } brace"}', { data: { s: 'quote " and } brace' } }],
  ['22', '--paths ["a.ts","b c.ts"]', { paths: ['a.ts', 'b c.ts'] }],
  ['23', '--paths [] --data {}', { paths: [], data: {} }],
  ['24', `--data '{"a":1}'`, { data: '{"a":1}' }],
  ['25', '--data "{\\"a\\":1}"', { data: '{"a":1}' }],
  ['26', "--data {'a':1}", { data: "{'a':1}" }],
  ['27', '--data {"a":1,}', { data: '{"a":1,}' }],
  ['28', '--data {"a":1 --path x', { data: '{"a":1', path: 'x' }],
  ['29', '--pattern [a-z]*.ts', { pattern: '[a-z]*.ts' }],
  ['30', '--data {"a":1}{"b":2}', { data: '{"a":1}{"b":2}' }],
  ['31', '--data [1,2] --path x', { data: [1, 2], path: 'x' }],
  ['32', '--path=a b', { path: 'a' }, ['b']],
  ['33', '--path="a b"', { path: 'a b' }],
  ['34', '--data={"a": 1}', { data: { a: 1 } }],
  ['35', '--path=', { path: '' }],
  ['36', '--message=--amend', { message: '--amend' }],
  ['37', '--message "--amend"', { message: '--amend' }],
  ['38', '--message --amend', { message: true, amend: true }],
  ['39', '--path a --path b', { path: 'b' }],
  ['40', '--x 1 --no-x', { x: false }],
  ['41', 'file.txt', {}, ['file.txt']],
  ['42', '--path a extra -v -- tail', { path: 'a' }, ['extra', '-v', '--', 'tail']],
  ['43', '--path a | head', { path: 'a' }, ['|', 'head']],
  ['44', '--path a > out.txt', { path: 'a' }, ['>', 'out.txt']],
  ['46', '--path 中文/文件.txt', { path: '中文/文件.txt' }],
  ['47', '--path "emoji 🚀"', { path: 'emoji 🚀' }],
  ['48', '\t--path \t a  --max\t 5', { path: 'a', max: 5 }],
  ['50', '--content "line1\nline2"', { content: 'line1\nline2' }],
  ['51', '--__proto__ x', {}, ['--__proto__', 'x']],
  ['52', '--constructor x', { constructor: 'x' }],
  ['53', '--- x', {}, ['---', 'x']],
  ['54', '--path null', { path: 'null' }],
  ['55', '--path TRUE', { path: 'TRUE' }],
  ['70', `--path ${'a'.repeat(100_000)}`, { path: 'a'.repeat(100_000) }],
];

describe('the case table, values by their look', () => {
  const rows = generic.map(([row, rest, params, ignored = []]) => ({ row, rest, params, ignored }));
  test.each(rows)('row $row', ({ rest, params, ignored }) => {
    const parsed = parse(rest);
    expect({ params: { ...parsed.params }, ignored: parsed.ignored }).toEqual({ params, ignored });
  });

  test('row 39 warns of the repeated flag', () => {
    expect(parse('--path a --path b').warnings).toEqual(['--path was given more than once; the last one counts']);
  });

  test('rows 42 to 44: each ignored token is named, and shell syntax is explained', () => {
    expect([parse('--path a -v').warnings, parse('--path a | head').warnings, parse('--path a > o').warnings]).toEqual([
      ['ignored: -v'],
      ['ignored: | (shell syntax needs terminal exec --command)', 'ignored: head'],
      ['ignored: > (shell syntax needs terminal exec --command)', 'ignored: o'],
    ]);
  });

  test('row 52 changes nothing but the parameters', () => {
    const { params } = parse('--constructor x');
    expect([Object.keys(params), ({} as Record<string, unknown>).constructor]).toEqual([['constructor'], Object]);
  });
});

const fitting: readonly (readonly [row: string, rest: string, params: Record<string, unknown>])[] = [
  ['14', '--recursive "false"', { recursive: false }],
  ['15', '--max "5"', { max: 5 }],
  ['18', '--id 00123', { id: '00123' }],
  ['18 json', '--id {"a": 1}', { id: '{"a": 1}' }],
  ['24', `--data '{"a":1}'`, { data: { a: 1 } }],
  ['25', '--data "{\\"a\\":1}"', { data: { a: 1 } }],
  ['json scalar', '--data 5', { data: 5 }],
  ['json null', '--data null', { data: null }],
  ['no- is the name itself', '--no-color', { 'no-color': true }],
  ['both spellings', '--processId 5', { processId: 5 }],
  ['words', '--mode auto', { mode: 'auto' }],
];

const refused: readonly (readonly [row: string, rest: string, message: string])[] = [
  ['26', "--data {'a':1}", '--data is not valid JSON'],
  ['27', '--data {"a":1,}', '--data is not valid JSON'],
  ['28', '--data {"a":1 --id x', '--data is unterminated JSON'],
  ['30', '--data {"a":1}{"b":2}', '--data is not valid JSON'],
  ['38', '--message --amend', '--message needs a value'],
  ['number', '--max 1e3', '--max must be a number'],
  ['boolean', '--recursive=yes', '--recursive must be true or false'],
  ['boolean keeps the next word', '--recursive x', 'Nothing was run: x stands there without a flag'],
  ['words', '--mode later', '--mode must be one of auto, foreground'],
  ['json depth', `--data '${'['.repeat(201)}${']'.repeat(201)}'`, '--data is not valid JSON: nested deeper than 200'],
];

describe('the case table, values by their declared type', () => {
  test.each(fitting)('row %s fits', (_, rest, params) => {
    const parsed = declared(rest);
    expect({ params: { ...parsed.params }, error: parsed.error }).toEqual({ params, error: undefined });
  });

  test.each(refused)('row %s is refused', (_, rest, message) => {
    const { error } = declared(rest);
    expect([error?.type, error?.message.slice(0, message.length)]).toEqual(['INVALID_TOOL_PARAMS', message]);
  });
});

const invalid: readonly (readonly [row: string, command: string, message: string])[] = [
  ['41', 'codebolt fs read file.txt', 'fs read needs --path'],
  ['45', 'codebolt fs read --path "unterminated', 'The quote " opened at column 25 is never closed'],
  ['49', 'codebolt fs read --path a\ncodebolt fs read --path b', 'Only one command per call: a line break ended it'],
  ['49 CRLF', 'codebolt fs read --path a\r\n--path b', 'Only one command per call: a line break ended it'],
  ['59', 'codebolt nosuch read', 'Unknown module nosuch'],
  ['60', 'codebolt fs nosuch', 'Unknown action nosuch of fs'],
  ['61', 'codebolt fs read', 'fs read needs --path'],
  ['62', 'codebolt fs write --path a', 'fs write needs --content'],
  ['63', 'codebolt --path a fs read', 'The module is missing: codebolt <module> <action> comes before the flags'],
  ['69', 'codebolt FS read --path a', 'Unknown module FS; did you mean fs?'],
  ['too deep', `codebolt fs read --path ${'['.repeat(201)}`, 'The JSON value at column 25 is nested deeper than 200'],
];

describe('the case table, errors', () => {
  test.each(invalid)('row %s', (_, command, message) => {
    expect(cli.parseOnly(command).error).toEqual({ type: 'INVALID_TOOL_PARAMS', message });
  });

  test('rows 59 and 60 list what there is', async () => {
    const modules = await cli.run('codebolt nosuch read', noPorts);
    const actions = await cli.run('codebolt fs nosuch', noPorts);
    expect([modules.llmContent.split('\n')[1], actions.llmContent.split('\n')[1]]).toEqual([
      `Modules: ${[...cli.registry.modules.keys()].join(', ')}`,
      `Actions: ${[...(cli.registry.modules.get('fs')?.keys() ?? [])].join(', ')}`,
    ]);
  });
});

const noPorts = {
  callTool: () => Promise.reject(new Error('must not be called')),
  store: { read: () => Promise.reject(new Error('no')), write: () => Promise.reject(new Error('no')) },
  ...noThreads,
  root: '/project',
  now: () => '',
  newId: () => '',
};

describe('the case table, whole commands', () => {
  test.each([
    ['56', 'codebolt'],
    ['56 help', 'codebolt help'],
    ['56 flag', 'codebolt --help'],
    ['57', 'codebolt help fs'],
    ['58', 'codebolt fs'],
    ['58 flag', 'codebolt fs --help'],
    ['58 word', 'codebolt fs help'],
    ['action', 'codebolt help fs read'],
    ['action flag', 'codebolt fs read --help'],
  ])('row %s is help', async (_, command) => {
    const result = await cli.run(command, noPorts);
    expect([result.error, cli.parseOnly(command).error, result.llmContent.includes('codebolt')]).toEqual([
      undefined,
      undefined,
      true,
    ]);
  });

  test('row 64: both prefixes mean the same', () => {
    expect(cli.parseOnly('codeboltcmd git status')).toEqual(cli.parseOnly('codebolt git status'));
  });

  test.each([
    ['65', 'codebolt terminal exec --command "npm run build | tee log"', { command: 'npm run build | tee log' }],
    [
      '66',
      'codebolt task update --id "task-123" --data {"status":"completed"}',
      { id: 'task-123', data: { status: 'completed' } },
    ],
    ['68', 'codebolt git commit --message "docs: add x"', { message: 'docs: add x' }],
  ])('row %s', (_, command, params) => {
    const { ignored, warnings, error, params: got } = cli.parseOnly(command);
    expect({ params: { ...got }, ignored, warnings, error }).toEqual({
      params,
      ignored: [],
      warnings: [],
      error: undefined,
    });
  });

  test.each([
    ['abc', 0],
    ['[a]', 1],
    ["'[1,\n 2, x]'", 8],
    ['{"a":1,}', 7],
    ['""', 0],
  ])('JSON that is none is told with its place: %j', (text, at) => {
    const { error } = cli.parseOnly(`codebolt task update --id 1 --data ${text}`);
    expect(error?.message).toMatch(new RegExp(`^--data is not valid JSON: [\\s\\S]*position ${at}\\b`));
  });

  test('row 67: numbers stay numbers', () => {
    expect({ ...cli.parseOnly('codebolt browser scroll --direction "down" --pixels 800').params }).toEqual({
      direction: 'down',
      pixels: 800,
    });
  });
});
