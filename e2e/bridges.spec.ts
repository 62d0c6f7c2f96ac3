import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { configure, scripted } from './harness/configure.ts';
import { eventsOf, factsIn } from './harness/facts.ts';
import { productRoot } from './harness/folders.ts';
import { type Finished, programEnvironment } from './harness/program.ts';
import { expect, test } from './harness/test.ts';

const cli = join(productRoot, 'out', 'cli.js');

function onPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

function json(text: string): unknown {
  return JSON.parse(text);
}

/** A spec for a program that every machine has; `touched` shows whether it ever ran. */
function spec(name: string, binary: string, command: string): object {
  return {
    name,
    specVersion: '1',
    version: '1.0.0',
    binary,
    binaryVersion: '1.0.0',
    description: `${name} for tests`,
    versionDetection: { command: '--version', pattern: '(\\d+\\.\\d+\\.\\d+)' },
    triggers: { positive: [`${name}: tests`], negative: [`tasks outside ${name}`] },
    commands: [
      { name: command, description: 'Says it', usage: command, args: [], flags: [], output: { format: 'text' } },
    ],
  };
}

test.describe('the pseudo CLI', () => {
  test('answers with the exit code of what happened', async ({ makeProject, vise }) => {
    const project = makeProject({ 'a.txt': 'hello\n' });
    const call = async (command: string, ...flags: readonly string[]): Promise<unknown> => {
      const ended = await vise(['call', command, '--project', project, ...flags]);
      const { error } = json(ended.stdout) as { error?: { type: string } };
      return [ended.code, error?.type ?? 'fine'];
    };
    expect([
      await call('codebolt fs read --path a.txt'),
      await call('codeboltcmd fs help'),
      await call('codebolt fs raed --path a.txt'),
      await call('codebolt fs read --path none.txt'),
      await call('codebolt fs write --path b.txt --content x'),
      await call("codebolt terminal exec --command 'touch c.txt'"),
    ]).toEqual([
      [0, 'fine'],
      [0, 'fine'],
      [2, 'INVALID_TOOL_PARAMS'],
      [1, 'EXECUTION_FAILED'],
      [3, 'EXECUTION_FAILED'],
      [3, 'EXECUTION_FAILED'],
    ]);
    expect([existsSync(join(project, 'b.txt')), existsSync(join(project, 'c.txt'))]).toEqual([false, false]);
    await call('codebolt fs write --path b.txt --content x', '--allow', 'dangerous');
    expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('x');
  });

  test('is understood alike by call --parse and inspect', async ({ vise }) => {
    const command = 'codebolt git commit --message "a b" --process-id 3 stray';
    const parsed = await vise(['call', '--parse', command]);
    const inspected = await vise(['inspect', 'pseudo', '-'], { stdin: `${JSON.stringify({ command })}\n` });
    expect([json(inspected.stdout), parsed.code]).toEqual([json(parsed.stdout), 2]);
    expect(json(parsed.stdout)).toMatchObject({ module: 'git', action: 'commit', ignored: ['stray'] });
  });

  test('keeps its state from one call to the next', async ({ makeProject, vise }) => {
    const project = makeProject({});
    await vise(['call', 'codebolt todo add --title milk', '--project', project]);
    const listed = await vise(['call', 'codebolt todo list', '--project', project]);
    expect(listed.stdout).toContain('milk');
  });

  for (const tool of ['run', 'cli_based_tool', 'start_background_task'])
    test(`is never handed to a shell by ${tool}, and what it does is asked`, async ({ makeProject, vise }) => {
      const project = makeProject({ 'a.txt': 'hello\n' });
      const use = (command: string): Promise<Finished> =>
        vise(['tool', tool, '--input', JSON.stringify({ command }), '--project', project]);
      expect(json((await use('codebolt fs read --path a.txt')).stdout)).toMatchObject({
        success: true,
        data: { stdout: 'hello\n', mode: 'pseudo' },
      });
      expect(json((await use('codebolt fs write --path b.txt --content "$(touch c.txt)"')).stdout)).toMatchObject({
        data: { stderr: expect.stringContaining('Permission denied') },
      });
      expect([existsSync(join(project, 'b.txt')), existsSync(join(project, 'c.txt'))]).toEqual([false, false]);
    });

  test('in a task: the inner call is a fact of its own, with its own answer', async ({ home, makeProject, vise }) => {
    const project = makeProject({});
    const command = 'codebolt fs write --path b.txt --content x';
    const flags = scripted(home, [{ calls: [{ tool: 'run', input: { command } }] }, { text: 'Done.' }]);
    const denied = await vise(['exec', '--json', '--mode', 'direct', '--project', project, ...flags, 'write it']);
    const facts = factsIn(denied.stdout);
    expect(eventsOf(facts, 'tool.proposed').map(({ tool }) => tool)).toEqual(['run', 'write_file']);
    expect(eventsOf(facts, 'permission.answered').map(({ answer }) => answer.decision)).toEqual(['deny']);
    expect([denied.code, existsSync(join(project, 'b.txt'))]).toEqual([3, false]);
    const allowed = await vise([
      ...['exec', '--json', '--mode', 'direct', '--allow', 'dangerous'],
      ...['--project', project, ...flags, 'write it'],
    ]);
    expect([allowed.code, readFileSync(join(project, 'b.txt'), 'utf8')]).toEqual([0, 'x']);
    expect(eventsOf(factsIn(allowed.stdout), 'change.applied')).toHaveLength(1);
  });
});

test.describe('specs', () => {
  const jq = onPath('jq');
  test(`jq through its spec${jq ? '' : ' (skipped: jq is not installed)'}`, async ({ makeProject, vise }) => {
    test.skip(jq === undefined, 'jq is not installed');
    const project = makeProject({ 'x.json': '{"a":{"b":2}}' });
    const input = JSON.stringify({ filter: '.a', file: 'x.json' });
    const asked = await vise(['tool', 'jq_run', '--input', input, '--project', project]);
    expect([asked.code, json(asked.stdout)]).toMatchObject([3, { success: false }]);
    const ran = await vise(['tool', 'jq_run', '--input', input, '--project', project, '--allow', 'moderate']);
    expect([ran.code, json(ran.stdout)]).toMatchObject([0, { success: true }]);
    expect(json((json(ran.stdout) as { data: { output: string } }).data.output)).toEqual({ b: 2 });
    const failed = await vise([
      ...['tool', 'jq_run', '--input', JSON.stringify({ filter: '.[', file: 'x.json' })],
      ...['--project', project, '--allow', 'moderate'],
    ]);
    expect(json(failed.stdout)).toMatchObject({ success: false, error: { code: 'TOOL_EXECUTION_FAILED' } });
  });

  const git = onPath('git');
  test(`built-in names stay with the built-in tools${git ? '' : ' (skipped: git is not installed)'}`, async ({
    vise,
  }) => {
    test.skip(git === undefined, 'git is not installed');
    const listed = json((await vise(['tools', '--json'])).stdout) as readonly { name: string; source: string }[];
    const sources = new Map(listed.map(({ name, source }) => [name, source]));
    expect([sources.get('git_status'), sources.get('git_show')]).toEqual(['built-in', 'spec git (bundled)']);
  });

  test('of a project start nothing before it is trusted', async ({ home, makeProject, vise }) => {
    const touched = join(home, 'touched');
    const project = makeProject({
      '.cli-bridge/specs/sayit/1.0.0.json': JSON.stringify(spec('sayit', 'sayit', 'speak')),
    });
    const bin = makeProject({ sayit: `#!/bin/sh\necho ran >> '${touched}'\necho "sayit 1.0.0 $*"\n` });
    const { chmodSync } = await import('node:fs');
    chmodSync(join(bin, 'sayit'), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    const list = async (...flags: readonly string[]): Promise<unknown> =>
      json((await vise(['bridge', 'list', '--json', '--project', project, ...flags], { env })).stdout);
    expect(await list()).toMatchObject({ untrusted: [{ tool: 'sayit' }] });
    expect(existsSync(touched)).toBe(false);
    expect(await list('--trust-workspace')).toMatchObject({
      untrusted: [],
      specs: expect.arrayContaining([
        expect.objectContaining({ name: 'sayit', source: 'project', commands: ['speak'] }),
      ]),
    });
    const ran = await vise(['tool', 'sayit_speak', '--project', project, '--trust-workspace', '--allow', 'moderate'], {
      env,
    });
    expect(json(ran.stdout)).toMatchObject({ success: true, data: { output: 'sayit 1.0.0 speak\n' } });
  });

  test('are validated and made from a help text without starting anything', async ({ home, makeProject, vise }) => {
    const folder = makeProject({
      'good.json': JSON.stringify(spec('sayit', 'sayit', 'speak')),
      'help.txt':
        'Usage: tool [OPTIONS] FILE\n\nDoes a thing with files.\n\nOptions:\n  -n, --lines N   how many lines\n',
    });
    const good = await vise(['bridge', 'validate', join(folder, 'good.json')]);
    const bad = await vise(['bridge', 'validate', '-', '--json'], { stdin: '{"name": 3}' });
    const broken = await vise(['bridge', 'validate', '-'], { stdin: '{' });
    const made = await vise([
      ...['bridge', 'register', '--from-file', join(folder, 'help.txt'), '--name', 'tool', '--version', '1.0.0'],
    ]);
    expect([good.code, json(good.stdout)]).toMatchObject([0, { ok: true, errors: [] }]);
    expect([bad.code, json(bad.stdout)]).toMatchObject([2, { ok: false }]);
    expect([broken.code, json(broken.stdout)]).toMatchObject([2, { ok: false }]);
    expect(json(made.stdout)).toMatchObject({ name: 'tool', commands: [{ name: 'run' }] });
    expect(existsSync(join(home, 'vise', 'config', 'cli-bridge', 'specs', 'tool'))).toBe(false);
  });
});

test.describe('vise mcp, with the official client', () => {
  const clients: Client[] = [];
  test.afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  async function connect(
    home: string,
    args: readonly string[],
    answer?: (message: string) => boolean,
  ): Promise<Client> {
    const client = new Client(
      { name: 'e2e', version: '1' },
      answer ? { capabilities: { elicitation: { form: {} } } } : {},
    );
    if (answer)
      client.setRequestHandler('elicitation/create', ({ params }) => ({
        action: 'accept' as const,
        content: { allow: answer(params.message) },
      }));
    clients.push(client);
    const env = Object.fromEntries(
      Object.entries(programEnvironment(home)).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp', ...args], env, stderr: 'ignore' }),
    );
    return client;
  }

  test('lists all tools with schemas and hints, and reads', async ({ home, makeProject }) => {
    const project = makeProject({ 'a.txt': 'hello\n' });
    const client = await connect(home, ['--project', project]);
    const { tools } = await client.listTools();
    expect(client.getServerVersion()?.name).toBe('vise');
    expect(tools.length).toBeGreaterThanOrEqual(48);
    expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
    expect([hints.get('read_file'), hints.get('write_file'), hints.get('run')]).toMatchObject([
      { readOnlyHint: true, destructiveHint: false },
      { readOnlyHint: false, destructiveHint: true },
      { openWorldHint: true, destructiveHint: true },
    ]);
    const read = await client.callTool({ name: 'read_file', arguments: { filePath: 'a.txt' } });
    expect([read.isError, read.structuredContent]).toMatchObject([
      false,
      { success: true, data: { content: 'hello\n' } },
    ]);
    const pseudo = await client.callTool({
      name: 'codebolt_command',
      arguments: { command: 'codebolt fs read --path a.txt' },
    });
    expect(pseudo.structuredContent).toMatchObject({ success: true, data: { llmContent: 'hello\n' } });
  });

  test('denies what must be asked when nobody can be, and writes with --allow', async ({ home, makeProject }) => {
    const project = makeProject({});
    const write = { name: 'write_file', arguments: { filePath: 'b.txt', content: 'x' } };
    const strict = await connect(home, ['--project', project]);
    expect(await strict.callTool(write)).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { code: 'PERMISSION_REQUIRED' } },
    });
    expect(existsSync(join(project, 'b.txt'))).toBe(false);
    const free = await connect(home, ['--project', project, '--allow', 'dangerous']);
    expect(await free.callTool(write)).toMatchObject({ isError: false, structuredContent: { success: true } });
    expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('x');
    const { resources } = await free.listResources();
    const change = resources.find(({ uri }) => uri.startsWith('vise://change/'));
    expect(JSON.stringify(await free.readResource({ uri: change?.uri ?? '' }))).toContain('b.txt');
  });

  test('asks the person behind the client, and a no counts', async ({ home, makeProject }) => {
    const project = makeProject({});
    const asked: string[] = [];
    const client = await connect(home, ['--project', project], (message) => {
      asked.push(message);
      return message.includes('good.txt');
    });
    const write = (filePath: string) => client.callTool({ name: 'write_file', arguments: { filePath, content: 'x' } });
    expect([(await write('good.txt')).isError, (await write('bad.txt')).isError]).toEqual([false, true]);
    expect([existsSync(join(project, 'good.txt')), existsSync(join(project, 'bad.txt'))]).toEqual([true, false]);
    expect(asked).toHaveLength(2);
  });

  test('tells progress, and cancelling ends the command', async ({ home, makeProject }) => {
    const project = makeProject({});
    const client = await connect(home, ['--project', project, '--allow', 'dangerous']);
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const command = 'echo started; sleep 300; touch after.txt';
    const call = client.callTool(
      { name: 'run', arguments: { command, timeout: 400_000 } },
      { signal: stop.signal, onprogress: () => heard.resolve() },
    );
    const outcome = call.then(
      () => 'answered',
      () => 'stopped',
    );
    await heard.promise;
    stop.abort();
    expect(await outcome).toBe('stopped');
    // Cancelling is told one way only: what is left of the command shows in the list of tasks.
    await expect
      .poll(async () => {
        const listed = await client.callTool({ name: 'list_background_tasks', arguments: { status: 'running' } });
        return listed.structuredContent;
      })
      .toMatchObject({ success: true, data: { count: 0 } });
    expect(existsSync(join(project, 'after.txt'))).toBe(false);
  });

  test('has files and prompts, and nothing outside the project', async ({ home, makeProject }) => {
    const project = makeProject({ 'a b.txt': 'hello\n' });
    const client = await connect(home, ['--project', project]);
    const file = await client.readResource({ uri: 'vise://file/a%20b.txt' });
    expect(file.contents).toEqual([{ uri: 'vise://file/a%20b.txt', mimeType: 'text/plain', text: 'hello\n' }]);
    await expect(client.readResource({ uri: 'vise://file/..%2F..%2Fetc%2Fpasswd' })).rejects.toThrow();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['init', 'review']);
    const review = await client.getPrompt({ name: 'review', arguments: { what: 'a b.txt' } });
    expect(JSON.stringify(review.messages)).toContain('a b.txt');
  });

  test('stdout carries the protocol and nothing else, also for what is no message', async ({ makeProject, vise }) => {
    const project = makeProject({});
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const stdin = `${JSON.stringify(initialize)}\nthis is no message\n`;
    const ended = await vise(['mcp', '--project', project], { stdin });
    for (const line of ended.stdout.trim().split('\n').filter(Boolean))
      expect(json(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(ended.code).toBe(0);
  });
});

test.describe('MCP servers of others', () => {
  test('of the user join the tools, at least moderate', async ({ home, makeProject, vise }) => {
    const inner = makeProject({ 'inner.txt': 'from inside\n' });
    const project = makeProject({});
    configure(home, {
      mcpServers: { other: { command: process.execPath, args: [cli, 'mcp', '--project', inner] } },
    });
    const call = ['tool', 'mcp_other_read_file', '--filePath', 'inner.txt', '--project', project];
    expect((await vise(call)).code).toBe(3);
    const read = await vise([...call, '--allow', 'moderate']);
    expect(read.stdout).toContain('from inside');
    const listed = json((await vise(['tools', '--json', '--project', project])).stdout) as readonly {
      name: string;
      source: string;
    }[];
    expect(listed.find(({ name }) => name === 'mcp_other_read_file')?.source).toBe('mcp other (user)');
  });

  test('of a project are not started before it is trusted', async ({ home, makeProject, vise }) => {
    const touched = join(home, 'touched');
    const project = makeProject({
      '.mcp.json': JSON.stringify({
        mcpServers: { bad: { command: '/bin/sh', args: ['-c', `echo ran > '${touched}'`] } },
      }),
    });
    const list = async (...flags: readonly string[]): Promise<unknown> =>
      json((await vise(['bridge', 'list', '--json', '--project', project, ...flags])).stdout);
    expect(await list()).toMatchObject({ servers: [{ name: 'bad', origin: 'project', state: 'untrusted' }] });
    expect(existsSync(touched)).toBe(false);
    expect(await list('--trust-workspace')).toMatchObject({ servers: [{ name: 'bad', state: 'waiting' }] });
    expect(existsSync(touched)).toBe(true);
  });
});
