import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fail, ok } from '../../../../shared/result.ts';
import { defineTool, type Hands, type Look } from '../../tools/frame/tool.ts';
import { allActions } from './actions/all.ts';
import { createCommandTool } from './commandTool.ts';
import { type CallPorts, interceptPseudo, pseudoCommand } from './interceptPseudo.ts';
import { createPseudoCli } from './pseudoCli.ts';
import { noThreads } from './testing/noThreads.ts';

const cli = createPseudoCli(allActions([]));
const shell = (name: string) =>
  defineTool({
    name,
    category: 'shell',
    permission: 'dangerous',
    about: '',
    input: () => z.object({ command: z.string() }),
    output: () => z.unknown(),
    plan: () => Promise.resolve(fail('UNAVAILABLE', 'a shell would start')),
    run: () => Promise.resolve(fail('UNAVAILABLE', 'a shell would start')),
  });

const called: [string, unknown][] = [];
const lent: CallPorts = {
  callTool: (name, input) => {
    called.push([name, input]);
    return Promise.resolve(
      name === 'read_file'
        ? { success: true, data: { content: 'text' } }
        : { success: false, error: { code: 'PERMISSION_DENIED', message: 'no' } },
    );
  },
  store: { read: () => Promise.resolve(ok(undefined)), write: () => Promise.resolve(ok(undefined)) },
  ...noThreads,
  root: '/project',
  now: () => '',
  newId: () => '',
};
const tools = [
  ...interceptPseudo([shell('run'), shell('cli_based_tool'), shell('read_file')], cli, () => lent),
  createCommandTool(cli, () => lent),
];

async function call(index: number, input: unknown) {
  called.length = 0;
  const prepared = await tools[index]?.prepare(input, {} as Look); // neither looks
  if (!prepared?.ok) return prepared?.error.message;
  const result = await prepared.value.run({} as Hands, { changes: [], files: [] });
  return { risk: prepared.value.intent.risk, result: result.ok ? result.value : result.error };
}

describe('interception in the tools that run commands', () => {
  test('a pseudo command calls its tool and never the shell', async () => {
    expect([await call(0, { command: ' codebolt fs read --path a' }), called]).toEqual([
      { risk: 'none', result: { stdout: 'text', stderr: '', exitCode: 0, mode: 'pseudo' } },
      [['read_file', { filePath: 'a' }]],
    ]);
  });

  test('the tool inside keeps its own permission', async () => {
    expect(await call(1, { command: 'codeboltcmd fs write --path a --content b --extra c' })).toEqual({
      risk: 'none',
      result: {
        stdout: '',
        stderr: 'Error: Permission denied: no\nwarning: --extra is not a flag of fs write',
        returncode: 1,
        mode: 'pseudo',
      },
    });
  });

  test('wrong use has the exit code 2', async () => {
    expect(await call(1, { command: 'codebolt fs read' })).toEqual({
      risk: 'none',
      result: { stdout: '', stderr: 'Error: fs read needs --path', returncode: 2, mode: 'pseudo' },
    });
  });

  test.each([
    'cd src && codebolt fs read --path a',
    'ls; codeboltcmd git status',
    'echo x | codebolt fs read --path a',
  ])('a line of a shell with a pseudo command in it runs nothing and says how: %s', async (command) => {
    const prefix = command.includes('codeboltcmd') ? 'codeboltcmd' : 'codebolt';
    expect([await call(0, { command }), called]).toEqual([
      {
        risk: 'none',
        result: {
          stdout: '',
          stderr: `Error: Nothing was run: ${prefix} is no program of a shell. Send each ${prefix} command as a call of its own; its paths count from the project's folder, so no cd comes before it`,
          exitCode: 2,
          mode: 'pseudo',
        },
      },
      [],
    ]);
  });

  test.each(['FOO=1 codebolt x && ls', 'sudo codebolt x; ls', 'echo codebolt && ls'])(
    'a line in which no command is one of the pseudo CLI reaches the shell: %s',
    async (command) => {
      expect(await call(0, { command })).toBe('a shell would start');
    },
  );

  test('anything else reaches the tool, and other tools are left alone', async () => {
    expect([await call(0, { command: './codebolt x' }), await call(2, { command: 'codebolt fs' })]).toEqual([
      'a shell would start',
      'a shell would start',
    ]);
  });

  test('separate words stay separate', () => {
    expect(pseudoCommand({ command: 'codebolt', args: ['fs', 'read', '--path', 'a b'] }, cli)).toEqual({
      command: 'codebolt',
      args: ['fs', 'read', '--path', 'a b'],
    });
  });

  test('the tool for MCP clients answers with the result object, or fails with it', async () => {
    const result = { llmContent: 'text', returnDisplay: 'codebolt fs read: text' };
    const wrong = 'Error: fs read needs --path';
    expect([
      await call(3, { command: 'codebolt fs read --path a' }),
      await call(3, { command: 'codebolt fs read' }),
    ]).toEqual([
      { risk: 'none', result },
      {
        risk: 'none',
        result: {
          code: 'VALIDATION_ERROR',
          message: 'fs read needs --path',
          details: {
            llmContent: wrong,
            returnDisplay: wrong,
            error: { type: 'INVALID_TOOL_PARAMS', message: 'fs read needs --path' },
          },
        },
      },
    ]);
  });
});
