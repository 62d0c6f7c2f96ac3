import { describe, expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../shared/model/settings.ts';
import type { ToolResult } from '../../shared/result.ts';
import { testBench } from './testing/engineForTest.ts';

interface Shell {
  /** The answer of one of the shell tools, as a host would give it. */
  call(tool: string, input: unknown): Promise<ToolResult>;
  /** Its data; fails when there is none. */
  data(tool: string, input: unknown): Promise<Record<string, unknown>>;
}

/** The tools that run commands, on a real engine with these settings. */
async function shellWith(
  settings: Partial<Settings['shell']> = {},
  files: Record<string, string> = {},
): Promise<Shell> {
  const { engine, client, project } = testBench(files, { interactive: false, allow: 'dangerous' });
  const all = { ...defaultSettings, shell: { ...defaultSettings.shell, ...settings } };
  const set = await client.call('settings.set', { settings: all });
  if (!set.ok) throw new Error(set.error.message);
  const call = (tool: string, input: unknown) => engine.callTool(project, tool, input, new AbortController().signal);
  return {
    call,
    async data(tool, input) {
      const result = await call(tool, input);
      if (!result.success) throw new Error(`${result.error.code}: ${result.error.message}`);
      return result.data as Record<string, unknown>; // the tools answer with objects
    },
  };
}

describe('a command that is none', () => {
  test.each([[{}], [{ command: 7 }], [{ command: null }], [{ command: ' \n' }], [{ command: '' }]])(
    'is answered in the words of the seed: %j',
    async (input) => {
      const shell = await shellWith();
      const answer = { error: 'cli_based_tool: command must be provided' };
      expect([await shell.data('cli_based_tool', input), await shell.data('start_background_task', input)]).toEqual([
        answer,
        answer,
      ]);
    },
  );

  test('has arguments that are no text: an input error', async () => {
    const shell = await shellWith();
    expect(await shell.call('cli_based_tool', { command: 'echo', args: ['a', 1] })).toMatchObject({
      success: false,
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'args.1' }] },
    });
  });

  test('no arguments and null are as if they were absent', async () => {
    const shell = await shellWith();
    for (const args of [[], null])
      expect(await shell.data('cli_based_tool', { command: 'echo a', args })).toMatchObject({ stdout: 'a\n' });
  });
});

test('a command that leaves something running says so in its answer, by either tool', async () => {
  const shell = await shellWith();
  for (const [tool, field] of [
    ['run', 'leftRunning'],
    ['cli_based_tool', 'left_running'],
  ] as const) {
    const { stdout, survivors, ...rest } = await shell.data(tool, { command: 'sleep 31 & echo $!' });
    expect([survivors, rest[field]]).toEqual([
      [Number(stdout)],
      expect.stringContaining(`Process ${Number(stdout)} was left running by the command.`),
    ]);
  }
});

test('what the schemas promise is what the seed has: command and task_id are texts, and required', async () => {
  const { engine, project } = testBench({});
  const toolset = await engine.toolset(project);
  if (!toolset.ok) throw new Error(toolset.error.message);
  const schemaOf = (name: string) => toolset.value.find(name)?.inputSchema();
  expect(schemaOf('cli_based_tool')).toMatchObject({
    properties: { command: { type: 'string' } },
    required: ['command'],
  });
  for (const name of ['check_background_task', 'get_background_output', 'cancel_background_task'])
    expect(schemaOf(name)).toMatchObject({ properties: { task_id: { type: 'string' } }, required: ['task_id'] });
});

test('the tool tells the model what to make of the five usual errors', async () => {
  const { engine, project } = testBench({});
  const toolset = await engine.toolset(project);
  const about = toolset.ok ? toolset.value.find('cli_based_tool')?.about : '';
  for (const word of ['stderr', '"File exists"', '"Permission denied"', '"Command not found"', '"No such file"'])
    expect(about).toContain(word);
});

describe('the working folder', () => {
  test('that cd changed is said not to last; a cd that failed changed nothing', async () => {
    const shell = await shellWith();
    const [done, failed] = [
      await shell.data('cli_based_tool', { command: 'cd /' }),
      await shell.data('cli_based_tool', { command: 'cd /no/such/folder' }),
    ];
    expect(done).toMatchObject({ returncode: 0, hint: 'working directory does not persist between calls' });
    expect(failed['hint']).toBeUndefined();
  });
});

describe('the background tools', () => {
  test.each(['check_background_task', 'get_background_output', 'cancel_background_task'])(
    '%s asks for the id that is missing, and knows none that is not there',
    async (tool) => {
      const shell = await shellWith();
      for (const input of [{}, { task_id: '' }, { task_id: null }])
        expect(await shell.data(tool, input)).toEqual({ error: 'task_id is required' });
      expect(await shell.data(tool, { task_id: 'cli_none00' })).toEqual({ error: "Task 'cli_none00' not found" });
    },
  );

  test('list only what is or was in the background, with the same columns in each row', async () => {
    const shell = await shellWith({ autoBackgroundThresholdSeconds: 0 });
    await shell.data('cli_based_tool', { command: 'echo waited for' });
    const started = await shell.data('start_background_task', { command: 'echo in the background' });
    await shell.data('check_background_task', { task_id: started['task_id'], wait: true });
    expect(await shell.data('list_background_tasks', { status: 'all' })).toEqual({
      count: 1,
      tasks: [
        {
          task_id: started['task_id'],
          status: 'completed',
          command: 'echo in the background',
          created_at: expect.any(String) as unknown,
          started_at: expect.any(String) as unknown,
          estimated_duration_seconds: null,
        },
      ],
    });
    expect(await shell.data('list_background_tasks', {})).toEqual({ count: 0, tasks: [] });
  });

  test('a command that takes longer goes on under an id, and its output is whole in the end', async () => {
    const shell = await shellWith({ autoBackgroundThresholdSeconds: 0.3, maxOutputChars: 40 });
    const text = '0123456789'.repeat(6);
    const command = `printf ${text}; printf err >&2; while ! [ -e go ]; do sleep 0.05; done; echo end`;
    const answer = await shell.data('cli_based_tool', { command });
    expect(answer).toMatchObject({
      status: 'running',
      reason: 'measured',
      auto_backgrounded: true,
      background_task_id: answer['task_id'],
      message: 'Command exceeded 0.3s threshold, continuing in background',
    });
    await shell.data('cli_based_tool', { command: 'touch go' });
    const ended = await shell.data('check_background_task', { task_id: answer['task_id'], wait: true });
    expect(ended).toMatchObject({ status: 'completed', result: { returncode: 0, stdout_chars: 64, stderr_chars: 3 } });
    expect(await shell.data('get_background_output', { task_id: answer['task_id'], stream: 'stdout' })).toMatchObject({
      stdout: `${text}end\n`,
      stderr: '',
      next_offset: 64,
      eof: true,
    });
  });
});
