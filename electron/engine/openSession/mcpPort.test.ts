import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { sampleCommand, sampleSpec } from '../bridge/cliSpec/testing/sampleSpec.ts';
import { connectClient } from '../bridge/mcp/testing/connectClient.ts';
import { picture } from '../bridge/mcp/testing/remoteServer.ts';
import { testBench } from '../testing/engineForTest.ts';
import { createMcpPort } from './mcpPort.ts';

/** The official client, which holds each answer to the tool's output schema and throws where it does not fit. */
async function clientOf(
  files: Readonly<Record<string, string>> = {},
  bench = testBench(files, { interactive: false, trustWorkspace: true, allow: 'moderate' }),
): Promise<Client> {
  const opened = await bench.engine.project(bench.project);
  if (!opened.ok) throw new Error(opened.error.message);
  const { client, close } = await connectClient(createMcpPort(bench.engine, opened.value, '1'));
  onTestFinished(close);
  return client;
}

test('every built-in tool says what it answers, and what it answers fits, failures too', async () => {
  const client = await clientOf({ 'a.txt': 'one\ntwo\n' });
  const { tools } = await client.listTools();
  expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent;
  expect([
    await call('read_file', { filePath: 'a.txt', unknown: 1 }),
    await call('read_file', { filePath: 'none' }),
    await call('list_directory', { dirPath: '.' }),
    await call('grep_search', { pattern: 'two' }),
    await call('list_background_tasks', {}),
    await call('check_background_task', { task_id: 'none' }),
    await call('git_status', {}),
    await call('codebolt_command', { command: 'codebolt fs read --path a.txt' }),
  ]).toMatchObject([
    { success: true, data: { content: 'one\ntwo\n' }, warnings: [expect.any(String)] },
    { success: false, error: { code: 'FILE_NOT_FOUND' } },
    { success: true },
    { success: true },
    { success: true, data: { tasks: [], count: 0 } },
    { success: true, data: { error: expect.any(String) } },
    { success: false, error: { code: 'NOT_A_GIT_REPOSITORY' } },
    { success: true },
  ]);
});

test('a picture is sent once: as a picture, and not in base64 in text or data', async () => {
  const program = join(import.meta.dirname, '..', 'bridge', 'mcp', 'testing', 'remoteServer.ts');
  const servers = { mcpServers: { remote: { command: process.execPath, args: [program] } } };
  const client = await clientOf({ '.mcp.json': JSON.stringify(servers) });
  expect(await client.callTool({ name: 'mcp_remote_picture', arguments: {} })).toMatchObject({
    content: [
      { type: 'text', text: '{"success":true,"data":{"output":"[an image]"}}' },
      { type: 'image', data: picture, mimeType: 'image/png' },
    ],
    structuredContent: { success: true, data: { output: '[an image]' } },
  });
});

test.skipIf(process.platform === 'win32')(
  'a spec that another process registers is listed and called while the server runs (POSIX only: an sh script)',
  async () => {
    const bin = realpathSync(mkdtempSync(join(tmpdir(), 'vise-bin-')));
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    writeFileSync(join(bin, 'sayit'), '#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit\necho "said $*"\n');
    chmodSync(join(bin, 'sayit'), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    const bench = testBench({}, { interactive: false, allow: 'moderate', env, resources: bin });
    const client = await clientOf({}, bench);
    const opened = await bench.engine.project(bench.project);
    if (opened.ok) await opened.value.bridge.load('specs'); // as the command does before it serves
    const named = async (): Promise<readonly string[]> =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools
        .map(({ name }) => name)
        .filter((name) => name.startsWith('sayit'));
    const folder = join(bench.ports.places.specs, 'sayit');
    const put = (...names: readonly string[]): void => {
      mkdirSync(folder, { recursive: true });
      const commands = names.map((name) => sampleCommand({ name }));
      const spec = sampleSpec({ name: 'sayit', binary: 'sayit', commands });
      writeFileSync(join(folder, '1.0.json'), JSON.stringify(spec));
    };
    const none = await named();
    put('speak');
    const one = await named();
    const answer = await client.callTool({ name: 'sayit_speak', arguments: {} });
    put('speak', 'shout');
    const two = await named();
    rmSync(folder, { recursive: true });
    expect([none, one, answer.content, two, await named()]).toMatchObject([
      [],
      ['sayit_speak'],
      [{ text: 'said speak\n' }],
      ['sayit_shout', 'sayit_speak'],
      [],
    ]);
  },
);

test('files of the project are read as resources', async () => {
  const client = await clientOf({ 'dir/a b.txt': 'hello' });
  expect((await client.readResource({ uri: 'vise://file/dir/a%20b.txt' })).contents).toMatchObject([{ text: 'hello' }]);
  await expect(client.readResource({ uri: 'vise://file/none' })).rejects.toThrow();
  await expect(client.readResource({ uri: 'vise://task/none/log' })).rejects.toThrow();
});
