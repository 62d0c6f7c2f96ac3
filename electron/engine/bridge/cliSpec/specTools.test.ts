import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../shared/model/intent.ts';
import { shownIsRun } from '../../permission/gate.ts';
import type { Hands, Look, Tool } from '../../tools/frame/tool.ts';
import type { ProgramOutcome, ProgramRequest } from './program.ts';
import { specBlocks } from './specTool.ts';
import { specTools } from './specTools.ts';
import { sampleCommand, sampleLoaded, sampleSpec } from './testing/sampleSpec.ts';

const none = {} as Look; // the tools of specs look at nothing
const done: ProgramOutcome = { stdout: '{"a":1}', stderr: 'noise', exitCode: 0, signal: null, ended: 'exit' };

const command = sampleCommand({
  output: { format: 'json' },
  env: { MODE: 'x' },
  args: [{ name: 'q', description: 'Query\nhere', required: true, type: 'path' }],
  flags: [{ name: 'n', description: 'd', required: false, type: 'number', default: 5, enum: [1, 5] }],
});

function tool(
  outcome: Partial<ProgramOutcome> = {},
  changes: Parameters<typeof sampleLoaded>[1] = {},
  level?: 'none' | 'dangerous',
): { tool: Tool; ran: ProgramRequest[] } {
  const ran: ProgramRequest[] = [];
  const loaded = sampleLoaded(sampleSpec({ commands: [command] }), changes);
  const { tools } = specTools([loaded], new Set(), {
    runner: () => (request) => {
      ran.push(request);
      return Promise.resolve({ ...done, ...outcome });
    },
    env: () => ({ PATH: '/bin' }),
    cwd: '/project',
    level: () => level,
  });
  const [only] = tools;
  if (only === undefined) throw new Error('no tool');
  return { tool: only, ran };
}

async function run(one: Tool, input: unknown) {
  const prepared = await one.prepare(input, none);
  if (!prepared.ok) return prepared;
  const signal = new AbortController().signal;
  return prepared.value.run({ signal, look: { hasForbidden: false } } as unknown as Hands, { changes: [], files: [] }); // nothing else is used
}

describe('tools of CLI specs', () => {
  test('have the schema of their arguments and flags', () => {
    expect(tool().tool.inputSchema()).toEqual({
      type: 'object',
      properties: {
        q: { type: 'string', description: 'Query here' },
        n: { type: 'number', enum: [1, 5], description: 'd', default: 5 },
      },
      required: ['q'],
    });
  });

  test.each(['user', 'project'] as const)(
    'pass the check of the gate that what is shown is what runs (%s)',
    async (source) => {
      const prepared = await tool({}, { source }).tool.prepare({ q: 'a b', n: 1 }, none);
      const intent = prepared.ok ? prepared.value.intent : undefined;
      expect(intent?.preview.kind).toBe('command');
      expect(shownIsRun(intent as Intent)).toBe(true); // a command's preview is shown as it is planned
    },
  );

  test('show the exact words, and run exactly those', async () => {
    const { tool: one, ran } = tool();
    const prepared = await one.prepare({ q: 'a b', n: 1, other: 2 }, none);
    const argv = ['/usr/bin/mytool', 'list', '--n', '1', 'a b'];
    expect(prepared.ok && [prepared.value.warnings, prepared.value.intent.targets]).toEqual([
      ['Unknown property other is ignored'],
      [{ kind: 'command', command: "/usr/bin/mytool list --n 1 'a b'", argv, cwd: '/project' }],
    ]);
    await run(one, { q: 'a b', n: 1 });
    expect(ran.map(({ file, args, cwd, env, timeoutMs }) => ({ argv: [file, ...args], cwd, env, timeoutMs }))).toEqual([
      { argv, cwd: '/project', env: { PATH: '/bin', MODE: 'x' }, timeoutMs: 30_000 },
    ]);
  });

  test('answer with text and data, without the noise', async () => {
    expect(await run(tool().tool, { q: 'x' })).toEqual({
      ok: true,
      value: { output: '{\n  "a": 1\n}', structured: { a: 1 } },
    });
  });

  test.each([
    [
      'an exit code',
      { exitCode: 2, stderr: 'bad' },
      'TOOL_EXECUTION_FAILED',
      ['{\n  "a": 1\n}', '[exit code: 2]\nbad'],
    ],
    ['a signal', { signal: 'SIGSEGV', exitCode: null }, 'TOOL_EXECUTION_FAILED', ['{"a":1}', '[signal: SIGSEGV]']],
    ['a timeout', { ended: 'timeout' }, 'TIMEOUT', ['{"a":1}', '[timed out after 30000 ms]']],
    [
      'too much output',
      { ended: 'overflow', stdout: 'x'.repeat(100_001) },
      'TOOL_EXECUTION_FAILED',
      ['x'.repeat(100_000), '[output limit 10 MB exceeded]'],
    ],
    ['no start', { ended: 'failed', failure: 'ENOENT' }, 'TOOL_EXECUTION_FAILED', ['Execution failed: ENOENT']],
  ] as const)('tell %s in blocks', async (_, outcome, code, blocks) => {
    const result = await run(tool(outcome).tool, { q: 'x' });
    expect(result.ok ? 'ok' : [result.error.code, specBlocks(result.error.details)]).toEqual([code, blocks]);
  });

  test('run nothing on bad input', async () => {
    const { tool: one, ran } = tool();
    const results = await Promise.all([run(one, {}), run(one, { q: 'x', n: 3 }), run(one, null)]);
    expect([results.map((result) => (result.ok ? 'ok' : result.error.code)), ran]).toEqual([
      ['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
      [],
    ]);
  });

  test('are moderate, those with a binary of the project dangerous, unless the user says otherwise', () => {
    const levels = [tool(), tool({}, { source: 'project' }), tool({}, { binaryInProject: true }), tool({}, {}, 'none')];
    expect(levels.map(({ tool: one }) => one.permission)).toEqual(['moderate', 'moderate', 'dangerous', 'none']);
  });

  test.each([
    ['/usr/bin/git', 'log', [], 'moderate', true, true],
    ['/usr/bin/git', 'reset', ['hard'], 'dangerous', false, false],
    ['/usr/bin/rm', 'run', ['recursive'], 'dangerous', false, false],
    ['/usr/bin/tar', 'run', ['create', 'file'], 'dangerous', false, false],
    ['/usr/bin/tar', 'run', ['list', 'file'], 'moderate', true, false],
    ['/usr/bin/jq', 'run', [], 'moderate', false, false],
    ['/usr/bin/sayit', 'speak', [], 'moderate', false, false],
    ['/usr/bin/sayit', 'delete', [], 'dangerous', false, false],
  ] as const)('the level follows what the words do: %s %s %j', async (path, name, given, risk, reads, offered) => {
    const flags = ['hard', 'recursive', 'create', 'list'].map((flag) => ({
      ...{ name: flag, description: 'd', required: false, type: 'boolean' as const },
    }));
    const file = { name: 'file', description: 'd', required: false, type: 'string' as const };
    const spec = sampleSpec({ commands: [sampleCommand({ name, args: [], flags: [...flags, file] })] });
    const loaded = sampleLoaded(spec, { resolvedBinaryPath: path });
    const { tools } = specTools([loaded], new Set(), {
      runner: () => () => Promise.resolve(done),
      env: () => ({}),
      cwd: '/project',
      level: () => undefined,
    });
    const input = Object.fromEntries(given.map((flag) => [flag, flag === 'file' ? '.git/hooks/x' : true]));
    const prepared = await tools[0]?.prepare(input, none);
    if (!prepared?.ok) throw new Error('not prepared');
    const { intent } = prepared.value;
    expect([intent.risk, intent.provenReadOnly, tools[0]?.mayOnlyRead]).toEqual([risk, reads, offered]);
  });

  test('the level that is set by name can make a spec of a project harder, never easier', () => {
    const inProject = { binaryInProject: true };
    const levels = [
      tool({}, { source: 'project' }, 'none'),
      tool({}, { source: 'project' }, 'dangerous'),
      tool({}, inProject, 'none'),
      tool({}, {}, 'dangerous'),
    ];
    expect(levels.map(({ tool: one }) => one.permission)).toEqual(['moderate', 'dangerous', 'dangerous', 'dangerous']);
  });

  test('a project cannot set the environment of what it runs', async () => {
    const { tool: one, ran } = tool({}, { source: 'project' });
    await run(one, { q: 'x' });
    expect(ran[0]?.env).toEqual({ PATH: '/bin' });
  });
});
