import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../../shared/result.ts';
import { fail, ok } from '../../../../shared/result.ts';
import type { Action } from './action.ts';
import { allActions } from './actions/all.ts';
import { processNumber } from './actions/terminal.ts';
import { isPseudo } from './intercept.ts';
import { createPseudoCli } from './pseudoCli.ts';
import { outcomeResult } from './shapes.ts';
import { noThreads } from './testing/noThreads.ts';
import { render } from './testing/render.ts';

const actions = allActions([]);
const cli = createPseudoCli(actions);

/** Ports that write down each call and answer from a table. */
function portsWith(answers: Readonly<Record<string, (input: never) => ToolResult>>) {
  const calls: [string, unknown][] = [];
  const documents = new Map<string, unknown>();
  let ids = 0;
  return {
    calls,
    documents,
    ports: {
      callTool: (name: string, input: unknown): Promise<ToolResult> => {
        calls.push([name, input]);
        const answer = answers[name];
        if (answer) return Promise.resolve(answer(input as never));
        return Promise.resolve({ success: false, error: { code: 'TOOL_NOT_FOUND', message: `no ${name}` } });
      },
      store: {
        read: (name: string) => Promise.resolve(ok(documents.get(name))),
        write: (name: string, value: unknown) => Promise.resolve(ok(void documents.set(name, value))),
      },
      ...noThreads,
      root: '/project',
      now: () => '2026-11-21T00:00:00.000Z',
      newId: (prefix: string) => `${prefix}-${++ids}`,
    },
  };
}

const success =
  (data: unknown): (() => ToolResult) =>
  () => ({ success: true, data });
const failure =
  (code: 'FILE_NOT_FOUND' | 'PERMISSION_DENIED', message: string): (() => ToolResult) =>
  () => ({ success: false, error: { code, message } });

describe('the interception rule', () => {
  test.each(['codebolt', 'codeboltcmd fs read', '  codebolt x', 'codebolt\tx', 'codebolt\nx'])(
    'takes %j',
    (command) => {
      expect(isPseudo(command)).toBe(true);
    },
  );

  test.each([
    'codebolt-cli x',
    'codebolted',
    './codebolt x',
    '/usr/bin/codebolt x',
    'codebolt.exe x',
    'CODEBOLT x',
    '"codebolt" x',
    'FOO=1 codebolt x',
    'sudo codebolt x',
    '',
    '   ',
  ])('leaves %j to the shell', (command) => {
    expect(isPseudo(command)).toBe(false);
  });

  test('follows the setting', () => {
    expect([isPseudo('vise x', ['vise']), isPseudo('codebolt x', ['vise']), isPseudo('x', [''])]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('fuzzing the parser', () => {
  const pieces = fc.constantFrom(
    'codebolt',
    'fs',
    'read',
    '--path',
    '--no-x',
    '=',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    ' ',
    '\n',
    '--',
    'a',
    '1',
    '|',
    '\0',
  );

  test('no text makes it throw or reach a tool', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (text) => {
          const { error } = cli.parseOnly(`codebolt ${text}`);
          expect([undefined, 'INVALID_TOOL_PARAMS']).toContain(error?.type);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('what render writes parses back to the same parameters', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,12}$/).filter((key) => key !== 'help');
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const value = fc.oneof(fc.string({ unit: 'binary' }), json).filter((given) => given !== null);
    fc.assert(
      fc.property(fc.dictionary(name, value), (params) => {
        const text = render('fuzz', 'any', params);
        expect(text.ok && { ...cli.parseOnly(text.value).params }).toEqual({ ...params });
      }),
      { numRuns: 2_000 },
    );
  });

  test('render refuses what the format cannot say', () => {
    const codes = [{ __x: 1 }, { 'a b': 1 }, { a: null }, { a: Infinity }].map((params) => {
      const text = render('a', 'b', params);
      return text.ok ? text.value : text.error.code;
    });
    expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
  });

  test('a flood of unfinished JSON is refused instead of being scanned over and over', () => {
    const flood = (count: number) => cli.parseOnly(`codebolt fs read --path a ${'[ '.repeat(count)}`).error?.message;
    expect([flood(100)?.slice(0, 15), flood(101)]).toEqual([
      'Nothing was run',
      'More than 100 unterminated JSON values',
    ]);
  });
});

describe('help', () => {
  test('names every module, and every action with its flags', () => {
    const missing: string[] = [];
    const text = (command: string): string => (cli.parseOnly(command).error ? '' : helpText(command));
    const helpText = (command: string): string => helps.get(command) ?? '';
    const helps = new Map<string, string>();
    return Promise.all(
      ['codebolt', ...[...cli.registry.modules.keys()].map((name) => `codebolt ${name}`)].map(async (command) => {
        helps.set(command, (await cli.run(command, portsWith({}).ports)).llmContent);
      }),
    ).then(() => {
      for (const [module, entries] of cli.registry.modules) {
        if (!text('codebolt').includes(`${module} - ${entries.size} action`)) missing.push(module);
        for (const action of entries.values()) {
          const line = `codebolt ${module} ${action.action}`;
          if (!text(`codebolt ${module}`).includes(line)) missing.push(line);
          for (const { flag } of action.params)
            if (!text(`codebolt ${module}`).includes(flag)) missing.push(`${line} ${flag}`);
        }
      }
      expect(missing).toEqual([]);
    });
  });

  test('shows optional flags in brackets and booleans with both forms', async () => {
    const { llmContent } = await cli.run('codebolt fs list --help', portsWith({}).ports);
    expect(llmContent.split('\n')[0]).toBe('codebolt fs list --path <string> [--recursive | --no-recursive]');
  });
});

describe('running', () => {
  test('an action is a call of its tool, and the answer is the content', async () => {
    const { ports, calls } = portsWith({ read_file: success({ filePath: 'a', content: 'one\ntwo\n' }) });
    const result = await cli.run('codebolt fs read --path a', ports);
    expect({ result, calls }).toEqual({
      result: { llmContent: 'one\ntwo\n', returnDisplay: 'codebolt fs read: one (+1 lines)' },
      calls: [['read_file', { filePath: 'a' }]],
    });
  });

  test('a long file is cut at a line, and the warning says how to read on', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const { ports, calls } = portsWith({
      read_file: () => ({
        success: true,
        data: { content: line.repeat(1_500), startLine: 11, endLine: 1_510, lineCount: 9_000, truncated: true },
        warnings: ['Lines 11 to 1510 of 9000 are here; read on with offset 1510'],
      }),
    });
    const { llmContent, warnings } = await cli.run('codebolt fs read --path a --offset 10', ports);
    expect([llmContent.length, warnings, calls]).toEqual([
      100_000,
      ['Lines 11 to 1010 of 9000 are here; read on with --offset 1010'],
      [['read_file', { filePath: 'a', offset: 10 }]],
    ]);
  });

  test('a denied permission is told as such', async () => {
    const { ports } = portsWith({ write_file: failure('PERMISSION_DENIED', 'The user said no') });
    const { error } = await cli.run('codebolt fs write --path a --content b', ports);
    expect(error).toEqual({ type: 'EXECUTION_FAILED', message: 'Permission denied: The user said no' });
  });

  test('separate words are already tokens', async () => {
    const { ports, calls } = portsWith({ write_file: success({}) });
    await cli.run({ command: 'codebolt', args: ['fs', 'write', '--path', 'a b', '--content', '"x" \n y'] }, ports);
    expect(calls).toEqual([['write_file', { filePath: 'a b', content: '"x" \n y' }]]);
  });

  test('a command inside a command inside a command ends after four levels', async () => {
    const { ports, calls } = portsWith({});
    let command = 'ls';
    for (let i = 0; i < 5; i += 1) command = `codebolt terminal exec --command ${JSON.stringify(command)}`;
    const { error } = await cli.run(command, ports);
    expect({ error, calls }).toEqual({
      error: { type: 'EXECUTION_FAILED', message: 'The command is nested too deeply' },
      calls: [],
    });
  });

  test('a shell command goes to the shell tool, never past its permission', async () => {
    const { ports, calls } = portsWith({ cli_based_tool: failure('PERMISSION_DENIED', 'no') });
    await cli.run('codebolt terminal exec --command "rm -rf x | tee y"', ports);
    expect(calls).toEqual([['cli_based_tool', { command: 'rm -rf x | tee y' }]]);
  });

  test.each([
    ['codebolt fs delete-file --name a --path . ; codebolt fs delete-file --name b --path .', ';'],
    ['codebolt fs delete-file --name a --path .; codebolt fs delete-file --name b', ';'],
    ['codebolt git status;codebolt fs delete-file --name b --path .', ';'],
    ['codebolt fs delete-file --name a --path . && codebolt fs read --path b', '&&'],
    ['codebolt fs delete-file --name a --path .&&ls', '&&'],
    ['codebolt fs read --path a | head', '|'],
    ['codebolt fs read --path a || true', '||'],
    ['codebolt fs delete-file --name a --path . > out.txt', '>'],
    ['codebolt fs delete-file --name a --path . 2>&1', '>'],
    ['codebolt fs write --path a --content x < in', '<'],
    ['codebolt fs delete-file --name a --path . &', '&'],
    ['codebolt help | head', '|'],
  ])('a line for a shell runs nothing: %s', async (command, operator) => {
    const { ports, calls } = portsWith({});
    const { error } = await cli.run(command, ports);
    expect([error?.type, error?.message.split('. ')[0], calls]).toEqual([
      'INVALID_TOOL_PARAMS',
      `Nothing was run: ${operator} is for a shell, and this is no shell`,
      [],
    ]);
  });

  test('a change of folder in front of a command runs nothing and says what to do', async () => {
    const { ports, calls } = portsWith({});
    const { error } = await cli.run('cd src && codebolt fs read --path a', ports);
    expect([error?.message, calls]).toEqual([
      "A command begins with codebolt or codeboltcmd, not with cd. Send each codebolt command as a call of its own; its paths count from the project's folder, so no cd comes before it",
      [],
    ]);
  });

  test('what looks like an operator is a part of a value in quotes, in JSON and in an address', async () => {
    const { ports, calls } = portsWith({ grep_search: success({}), browser_navigate: success({}) });
    await cli.run('codebolt fs search --path . --regex "a|b;c>d" --pattern *.ts', ports);
    await cli.run('codebolt browser navigate --url http://x.test/?a=1&b=2', ports);
    expect([calls, cli.parseOnly('codebolt task update --id 1 --data {"title":"a; b && c | d"}').error]).toEqual([
      [
        ['grep_search', { path: '.', pattern: 'a|b;c>d', filePattern: '*.ts' }],
        ['browser_navigate', { url: 'http://x.test/?a=1&b=2' }],
      ],
      undefined,
    ]);
  });

  test.each([
    [
      'codebolt fs delete-file --name a --path . codebolt fs read --path b',
      'codebolt stands there a second time. Send one command a call',
    ],
    [
      'codebolt git commit --message fix the bug',
      'the bug stand there without a flag. A value with blanks stands in quotes: --message "fix the bug"',
    ],
    ['codebolt fs list src --path .', 'src stands there without a flag. fs list takes no more'],
    ['codebolt git status -s', '-s stands there without a flag. git status takes no more'],
  ])('a word without a flag runs nothing: %s', async (command, message) => {
    const { ports, calls } = portsWith({});
    expect([(await cli.run(command, ports)).error, calls]).toEqual([
      { type: 'INVALID_TOOL_PARAMS', message: `Nothing was run: ${message}` },
      [],
    ]);
  });

  test('a word without a flag is named beside the flag that is missing', async () => {
    const { llmContent } = await cli.run('codebolt fs read a.txt', portsWith({}).ports);
    expect(llmContent).toBe(
      'Error: fs read needs --path\nNothing was run: a.txt stands there without a flag. Is --path "a.txt" meant?',
    );
  });

  test('an action that throws is a failed command', async () => {
    const broken: Action = {
      module: 'a',
      action: 'b',
      about: '',
      params: [],
      run: () => Promise.reject(new Error('boom')),
    };
    const { error } = await createPseudoCli([broken]).run('codebolt a b', portsWith({}).ports);
    expect(error).toEqual({ type: 'EXECUTION_FAILED', message: 'boom' });
  });

  test.each([
    [{ success: false, message: 'm' }, 'm'],
    [{ ok: false }, '{"ok":false}'],
    [{ isError: true, error: 'e' }, 'e'],
    [{ status: 'error', message: 'm' }, 'm'],
    [{ error: { message: 'deep' } }, 'deep'],
  ])('the value %j has the shape of an error', (value, message) => {
    expect(outcomeResult('a b', ok(value), []).error).toEqual({ type: 'EXECUTION_FAILED', message });
  });

  test('nothing is ok, and long content is cut with its length', () => {
    const long = outcomeResult('a b', ok('x'.repeat(100_001)), []);
    expect([
      outcomeResult('a b', ok(undefined), []).llmContent,
      long.llmContent.length,
      long.returnDisplay.length,
    ]).toEqual(['ok', 100_000 + '\n[cut here: 100001 characters in all; ask for a narrower part]'.length, 200]);
  });

  test('wrong input of the tool is wrong input of the command', () => {
    expect(outcomeResult('a b', fail('VALIDATION_ERROR', 'no'), []).error?.type).toBe('INVALID_TOOL_PARAMS');
  });
});

describe('the named actions', () => {
  test('a new file is written only where nothing is', async () => {
    const free = portsWith({
      get_file_info: failure('FILE_NOT_FOUND', 'none'),
      write_file: success({ created: true }),
    });
    await cli.run('codebolt fs create-file --name a.txt --source x --path src/', free.ports);
    const taken = portsWith({ get_file_info: success({ type: 'file' }) });
    const { error } = await cli.run('codebolt fs create-file --name a.txt --source x --path src', taken.ports);
    expect([free.calls[1], error?.message]).toEqual([
      ['write_file', { filePath: 'src/a.txt', content: 'x' }],
      'src/a.txt exists already',
    ]);
  });

  test.each(['..', '.', '', 'a/../..', '../x'])('the name %j never deletes', async (name) => {
    const { ports, calls } = portsWith({});
    const { error } = await cli.run(`codebolt fs delete-folder --name "${name}" --path .`, ports);
    expect([error?.type, calls]).toEqual(['INVALID_TOOL_PARAMS', []]);
  });

  test('a file is deleted as a patch, so that it can be undone', async () => {
    const { ports, calls } = portsWith({ get_file_info: success({ type: 'file' }), apply_unified_diff: success({}) });
    await cli.run('codebolt fs delete-file --name a.txt --path .', ports);
    expect(calls[1]).toEqual([
      'apply_unified_diff',
      { diff: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n' },
    ]);
  });

  test('a literal search stays literal', async () => {
    const { ports, calls } = portsWith({ grep_search: success({ matches: [] }) });
    await cli.run('codebolt fs grep --path . --query "a.b(c)[d]"', ports);
    expect(calls).toEqual([['grep_search', { path: '.', pattern: 'a\\.b\\(c\\)\\[d\\]' }]]);
  });

  test('excluded files leave the matches', async () => {
    const { ports } = portsWith({
      grep_search: success({ matches: [{ file: 'a.ts' }, { file: 'b.ts' }], totalMatches: 2 }),
      search_files: success({ files: ['b.ts'] }),
    });
    const { llmContent } = await cli.run('codebolt fs grep --path . --query x --exclude b.ts', ports);
    expect(JSON.parse(llmContent)).toEqual({ matches: [{ file: 'a.ts' }], totalMatches: 1, filesWithMatches: 1 });
  });

  test('reading many files gives each its own outcome', async () => {
    const { ports } = portsWith({
      read_file: ({ filePath }: { filePath: string }) =>
        filePath === 'a' ? success({ content: 'A' })() : failure('FILE_NOT_FOUND', 'none')(),
    });
    const { llmContent } = await cli.run('codebolt fs read-many --paths ["a","b"]', ports);
    expect(JSON.parse(llmContent)).toEqual({
      files: [
        { path: 'a', ok: true, content: 'A' },
        { path: 'b', ok: false, error: { code: 'FILE_NOT_FOUND', message: 'none' } },
      ],
    });
  });

  test.each([
    'codebolt git diff --commit --output=x',
    'codebolt git diff --commit "--output=x"',
    'codebolt git clone --url "ext::sh -c x"',
  ])('%s starts nothing', async (command) => {
    const { ports, calls } = portsWith({});
    const { error } = await cli.run(command, ports);
    expect([error?.type, calls]).toEqual(['INVALID_TOOL_PARAMS', []]);
  });

  test('a task is found by its number and by its id', async () => {
    const { ports, calls } = portsWith({
      list_background_tasks: success({ tasks: [{ task_id: 'cli_abc123', status: 'running' }] }),
      cancel_background_task: success({ cancelled: true }),
    });
    await cli.run(`codebolt terminal stop --process-id ${processNumber('cli_abc123')}`, ports);
    await cli.run('codebolt terminal stop --process-id cli_abc123', ports);
    const { error } = await cli.run('codebolt terminal stop --process-id 1', ports);
    expect([calls.filter(([name]) => name === 'cancel_background_task'), error?.type]).toEqual([
      [
        ['cancel_background_task', { task_id: 'cli_abc123' }],
        ['cancel_background_task', { task_id: 'cli_abc123' }],
      ],
      'EXECUTION_FAILED',
    ]);
  });

  test('the last bytes of the output never begin with half a character', async () => {
    const { ports } = portsWith({ get_background_output: success({ stdout: 'aä', stderr: '' }) });
    const { llmContent } = await cli.run('codebolt terminal output --process-id cli_x --tail-bytes 1', ports);
    expect(JSON.parse(llmContent)).toEqual({ stdout: '', stderr: '' });
  });

  test('keys of two instances never meet', async () => {
    const { ports, calls } = portsWith({ cache_store: success({}) });
    await cli.run('codebolt kv set --instance a/b --ns c --key d --value 1', ports);
    await cli.run('codebolt kv set --instance a --ns b/c --key d --value 1', ports);
    expect(calls.map(([, input]) => (input as { key: string }).key)).toEqual(['kv/a%2Fb/c/d', 'kv/a/b%2Fc/d']);
  });

  test('tasks live through create, update and delete', async () => {
    const { ports, documents } = portsWith({});
    await cli.run('codebolt task create --title "Do it" --description d', ports);
    await cli.run('codebolt task update --id task-1 --data {"status":"completed"}', ports);
    const errors = [
      await cli.run('codebolt task update --id task-1 --data {"colour":"red"}', ports),
      await cli.run('codebolt task update --id task-1 --data {"status":"odd"}', ports),
      await cli.run('codebolt task get --id task-9', ports),
    ];
    const at = '2026-11-21T00:00:00.000Z';
    expect([documents.get('tasks'), errors.map(({ error }) => error?.type), errors[2]?.error?.message]).toEqual([
      [{ id: 'task-1', title: 'Do it', description: 'd', status: 'completed', createdAt: at, updatedAt: at }],
      ['INVALID_TOOL_PARAMS', 'INVALID_TOOL_PARAMS', 'EXECUTION_FAILED'],
      'Task task-9 not found',
    ]);
  });

  test('a list of things to do survives export and import', async () => {
    const { ports } = portsWith({});
    await cli.run('codebolt todo add --title "One" --priority high', ports);
    await cli.run('codebolt todo update --id todo-1 --status completed', ports);
    const markdown = (await cli.run('codebolt todo export --format markdown', ports)).llmContent;
    await cli.run({ command: 'codebolt', args: ['todo', 'import', '--format', 'markdown', '--data', markdown] }, ports);
    const { llmContent } = await cli.run('codebolt todo export --format markdown', ports);
    expect([markdown, llmContent]).toEqual(['- [x] One', '- [x] One\n- [x] One']);
  });
});
