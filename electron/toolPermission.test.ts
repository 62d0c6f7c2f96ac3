import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { covers, type Level } from '../shared/model/level.ts';
import type { Io } from './cli/base/io.ts';
import { parseFlags } from './cli/base/parseFlags.ts';
import { runCall } from './cli/call.ts';
import { commands } from './cli/commands.ts';
import { runExec } from './cli/exec.ts';
import { runTool } from './cli/tools.ts';
import { toolActions } from './engine/bridge/pseudoCli/actions/toolActions.ts';
import { createMcpPort } from './engine/openSession/mcpPort.ts';
import { testBench } from './engine/testing/engineForTest.ts';
import { plainInputs, writeSample } from './engine/testing/toolCases/plainInputs.ts';
import type { Tool } from './engine/tools/frame/tool.ts';
import { toolReference } from './engine/tools/testing/toolReference.ts';

/** What a host made of one call: whether the permission was missing, or something else happened. */
type Outcome = 'PERMISSION_REQUIRED' | 'PERMISSION_DENIED' | 'passed';
const outcomeOf = (code: string | undefined): Outcome =>
  code === 'PERMISSION_REQUIRED' || code === 'PERMISSION_DENIED' ? code : 'passed';

const expectedAt = (allow: Level, missing: Outcome): Readonly<Record<string, Outcome>> =>
  Object.fromEntries(toolReference.map(({ name, level }) => [name, covers(allow, level) ? 'passed' : missing]));

interface Place {
  readonly folder: string;
  readonly project: string;
  readonly io: Io;
  /** What was printed since the last time. */
  printed(): string;
}

/** A project in which every call makes sense, and no browser to be started. */
function place(): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vise-permission-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, 'project');
  writeSample(project);
  let out = '';
  const env = { PATH: process.env['PATH'], HOME: folder, VISE_HOME: join(folder, 'home'), VISE_CHROMIUM: '/no/chrome' };
  const io = {
    env,
    cwd: project,
    stdoutIsTty: false,
    stderrIsTty: false,
    stdinIsTty: false,
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    readStdin: () => Promise.resolve(''),
    readPiped: async () => undefined,
    async *stdinLines() {},
    onInterrupt: () => ({ dispose: () => undefined }),
  };
  return {
    folder,
    project,
    io,
    printed() {
      const text = out;
      out = '';
      return text;
    },
  };
}

function flagsOf(command: string, words: readonly string[]) {
  const parsed = parseFlags([...words], commands.find(({ name }) => name === command)?.flags ?? []);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

const names = toolReference.map(({ name }) => name);

describe.each(['none', 'moderate'] as const)('with --allow %s, each of the 48 tools', (allow) => {
  test('by vise exec: what is not allowed is denied, the model told so, and the exit code is 3', async () => {
    const { folder, project, io, printed } = place();
    const replies = [{ calls: names.map((tool) => ({ tool, input: plainInputs[tool] })) }, { text: 'Done.' }];
    const script = join(folder, 'script.json');
    writeFileSync(script, JSON.stringify({ replies }));
    const words = ['--project', project, '--mode', 'direct', '--provider', 'scripted', '--script', script, '--json'];
    const code = await runExec(flagsOf('exec', [...words, '--allow', allow, 'Do it all.']), io);
    const facts = printed()
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          (JSON.parse(line) as { event: { type: string; tool: string; result: { error?: { code: string } } } }).event,
      );
    const seen = facts
      .filter(({ type }) => type === 'tool.finished')
      .map(({ tool, result }) => [tool, outcomeOf(result.error?.code)]);
    expect([code, Object.fromEntries(seen)]).toEqual([3, expectedAt(allow, 'PERMISSION_REQUIRED')]);
  });

  test('by vise tool: the envelope says so, and the exit code is 3', async () => {
    const { project, io, printed } = place();
    const seen: Record<string, Outcome> = {};
    for (const name of names) {
      const words = [name, '--input', JSON.stringify(plainInputs[name]), '--project', project, '--allow', allow];
      const code = await runTool(flagsOf('tool', words), io);
      const { error } = JSON.parse(printed()) as { error?: { code: string } };
      seen[name] = outcomeOf(error?.code);
      expect([name, code === 3]).toEqual([name, seen[name] !== 'passed']);
    }
    expect(seen).toEqual(expectedAt(allow, 'PERMISSION_REQUIRED'));
  });

  test('by vise call: the exit code is 3', async () => {
    const { project, io, printed } = place();
    const bench = testBench({});
    const toolset = await bench.engine.toolset(bench.project, 'read_file');
    if (!toolset.ok) throw new Error(toolset.error.message);
    const seen: Record<string, Outcome> = {};
    const wrong: string[] = [];
    for (const tool of toolset.value.tools.filter(({ name }) => names.includes(name))) {
      const code = await runCall(flagsOf('call', [lineOf(tool), '--project', project, '--allow', allow]), io);
      const answer = printed();
      if (answer.includes('INVALID_TOOL_PARAMS')) wrong.push(lineOf(tool));
      seen[tool.name] = code === 3 ? 'PERMISSION_REQUIRED' : 'passed';
    }
    expect(wrong).toEqual([]);
    // Its action compares with any commit, which takes the run tool with its own level.
    expect(seen).toEqual({ ...expectedAt(allow, 'PERMISSION_REQUIRED'), git_diff: 'PERMISSION_REQUIRED' });
  });

  test('by vise mcp: the client’s person is asked, and where it cannot ask, it is denied', async () => {
    const bench = testBench({}, { interactive: false, allow });
    writeSample(bench.project);
    const opened = await bench.engine.project(bench.project);
    if (!opened.ok) throw new Error(opened.error.message);
    const port = createMcpPort(bench.engine, opened.value, '0');
    const seen: Record<string, Outcome> = {};
    const asked = new Set<string>();
    const consent = allow === 'none' ? 'unavailable' : 'deny';
    for (const name of names) {
      const { result } = await port.callTool(name, plainInputs[name], {
        signal: new AbortController().signal,
        client: 'test',
        onProgress: () => undefined,
        ask() {
          asked.add(name);
          return Promise.resolve(consent);
        },
      });
      seen[name] = outcomeOf(result.success ? undefined : result.error.code);
    }
    const expected = expectedAt(allow, consent === 'deny' ? 'PERMISSION_DENIED' : 'PERMISSION_REQUIRED');
    expect(seen).toEqual(expected);
    expect([...asked].toSorted()).toEqual(names.filter((name) => expected[name] !== 'passed').toSorted());
  });

  test('in the window: a card waits for what is not allowed, and a no is the answer to the model', async () => {
    const bench = testBench({}, { allow });
    writeSample(bench.project);
    const replies = [
      { calls: names.filter((name) => name !== 'ask_user').map((tool) => ({ tool, input: plainInputs[tool] })) },
    ];
    const session = await bench.session([...replies, { text: 'Done.' }]);
    await session.send('Do it all.');
    const seen: Record<string, Outcome> = {};
    const asked: string[] = [];
    const expected = Object.fromEntries(
      Object.entries(expectedAt(allow, 'PERMISSION_DENIED')).filter(([name]) => name !== 'ask_user'),
    );
    const toAsk = Object.entries(expected).filter(([, outcome]) => outcome !== 'passed');
    for (let left = toAsk.length; left > 0; left -= 1) {
      const { call } = await session.next('permission.asked');
      asked.push(call);
      await bench.client.call('permission.answer', { session: session.id, call, decision: 'deny' });
    }
    await session.next('turn.finished');
    const toolOf = (id: string) =>
      session.heard.flatMap(({ event }) =>
        event.type === 'tool.proposed' && event.call === id ? [event.tool] : [],
      )[0];
    for (const { event } of session.heard) {
      if (event.type === 'tool.finished')
        seen[event.tool] = outcomeOf(event.result.success ? undefined : event.result.error.code);
    }
    expect(seen).toEqual(expected);
    expect(asked.map((id) => toolOf(id) ?? '').toSorted()).toEqual(toAsk.map(([name]) => name).toSorted());
  });
});

/** Where the pseudo CLI has an action of its own for the tool, with other flags. */
const ownLines: Readonly<Record<string, string>> = {
  read_file: 'fs read --path a.txt',
  write_file: 'fs write --path new.txt --content x',
  search_files: "fs find --query '*.ts'",
  list_directory: 'fs list --path .',
  list_symbols: 'fs code-defs --path a.ts',
  grep_search: 'fs grep --path . --query one',
  git_diff: 'git diff --commit HEAD',
  run: "terminal exec --command 'echo ran'",
  browser_click: "browser click --element '#b'",
  browser_type: "browser type --element '#b' --text x",
  git_branch: 'git branch --branch new',
};

/** The pseudo command that stands for the tool with its plain input. */
function lineOf(tool: Tool): string {
  const own = ownLines[tool.name];
  if (own !== undefined) return `codebolt ${own}`;
  const [action] = toolActions([tool]);
  if (!action) throw new Error(`${tool.name} is out of reach`);
  const flags = Object.entries(plainInputs[tool.name] ?? {}).map(([name, value]) => {
    const param = action.params.find((one) => one.name === name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${param?.flag} '${text}'`;
  });
  return ['codebolt', action.module, action.action, ...flags].join(' ');
}
