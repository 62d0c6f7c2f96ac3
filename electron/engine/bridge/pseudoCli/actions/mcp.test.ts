import { describe, expect, test } from 'vitest';
import { ok } from '../../../../../shared/result.ts';
import type { Tool } from '../../../tools/frame/tool.ts';
import { createPseudoCli } from '../pseudoCli.ts';
import { noThreads } from '../testing/noThreads.ts';
import { allActions } from './all.ts';

const remote = (name: string, server: string) =>
  ({
    name,
    category: 'mcp',
    permission: 'moderate',
    about: `About ${name}`,
    source: `mcp ${server} (user)`,
    inputSchema: () => ({}),
  }) as unknown as Tool; // never prepared here

const calls: [string, unknown][] = [];
const cli = createPseudoCli(allActions([remote('mcp_files_read_it', 'files'), remote('mcp_web_get', 'web')]));
const run = (command: string) =>
  cli.run(command, {
    callTool: (name, input) => {
      calls.push([name, input]);
      return Promise.resolve({ success: true, data: 'done' });
    },
    store: { read: () => Promise.resolve(ok(undefined)), write: () => Promise.resolve(ok(undefined)) },
    ...noThreads,
    root: '/project',
    now: () => '',
    newId: () => '',
  });

describe('the mcp module', () => {
  test('lists servers and tools', async () => {
    const [servers, tools] = [await run('codebolt mcp servers'), await run('codebolt mcp tools --servers ["web"]')];
    expect([JSON.parse(servers.llmContent), JSON.parse(tools.llmContent)]).toEqual([
      { servers: ['files', 'web'], count: 2 },
      { tools: [{ name: 'mcp_web_get', server: 'web', description: 'About mcp_web_get' }], count: 1 },
    ]);
  });

  test('finds tools by words and tags', async () => {
    const found = async (command: string) =>
      (JSON.parse((await run(command)).llmContent) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect([
      await found('codebolt search mcp-tool --query "READ files"'),
      await found('codebolt search mcp-tool --query about --tags ["web"]'),
    ]).toEqual([['mcp_files_read_it'], ['mcp_web_get']]);
  });

  test('calls a tool by its server and name, and none of another server', async () => {
    const good = await run('codebolt mcp execute --toolbox files --tool read_it --params {"path":"x"}');
    const bad = await run('codebolt mcp execute --toolbox web --tool mcp_files_read_it --params {}');
    expect([good.llmContent, calls, bad.error?.type]).toEqual([
      'done',
      [['mcp_files_read_it', { path: 'x' }]],
      'EXECUTION_FAILED',
    ]);
  });
});
