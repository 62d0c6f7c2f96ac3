import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { SessionState } from '../shared/model/sessionState.ts';
import { connect } from './harness/connect.ts';
import { productRoot } from './harness/folders.ts';
import { programEnvironment } from './harness/program.ts';
import type { Server } from './harness/server.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { pressUntilGone } from './harness/window.ts';

const cli = join(productRoot, 'out', 'cli.js');
const clients: Client[] = [];

test.afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function mcpClient(home: string, project: string, elicit?: (message: string) => boolean): Promise<Client> {
  const client = new Client(
    { name: 'e2e', version: '1' },
    elicit ? { capabilities: { elicitation: { form: {} } } } : {},
  );
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept' as const,
      content: { allow: elicit(params.message) },
    }));
  clients.push(client);
  const env = Object.fromEntries(
    Object.entries(programEnvironment(home)).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const args = [cli, 'mcp', '--project', project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

/** The session that waits in a workbench, with what it waits for. */
async function waiting({ url }: Server) {
  const window = await connect(url);
  const found = Promise.withResolvers<string>();
  window.onWorkbench(({ event }) => {
    if (event.type === 'session.listed' && event.summary.waiting > 0) found.resolve(event.summary.id);
  });
  const listed = await window.call('workbench.watch', {});
  if (listed.ok)
    for (const summary of Object.values(listed.value.state.sessions))
      if (summary.waiting > 0) found.resolve(summary.id);
  const session = await found.promise;
  const watched = await window.call('session.watch', { session });
  if (!watched.ok) throw new Error(watched.error.message);
  const state: SessionState = watched.value.state;
  const [call = ''] = Object.keys(state.liveCalls);
  return { window, session, state, call };
}

const write = { name: 'write_file', arguments: { filePath: 'b.txt', content: 'x\n' } };

test('what an MCP client wants is asked in the inbox of a workbench that runs', async ({
  home,
  makeProject,
  serve,
}) => {
  const project = makeProject({});
  const server = await serve({ project });
  const client = await mcpClient(home, project);
  const called = client.callTool(write);
  const { window, session, state, call } = await waiting(server);
  expect(state.title).toBe('MCP: e2e 1');
  expect(existsSync(join(project, 'b.txt'))).toBe(false);
  await window.call('permission.answer', { session, call, decision: 'once' });
  expect(await called).toMatchObject({ isError: false, structuredContent: { success: true } });
  expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('x\n');

  const again = client.callTool(write);
  const second = await waiting(server);
  expect(second.session).toBe(session);
  await second.window.call('permission.answer', { session, call: second.call, decision: 'deny', reason: 'enough' });
  expect(JSON.stringify((await again).structuredContent)).toContain('enough');
  window.close();
  second.window.close();
});

test('the card stands in the window, and its button answers the client', async ({ home, makeProject, serve, page }) => {
  const project = makeProject({});
  const server = await serve({ project });
  await page.goto(server.url);
  const client = await mcpClient(home, project);
  const called = client.callTool({ name: 'run', arguments: { command: 'echo from the client > c.txt' } });
  await page.getByRole('button', { name: /^Inbox/ }).click();
  const card = page.getByText('echo from the client > c.txt').first();
  await expect(card).toBeVisible();
  // Keys and clicks count only half a second after a card appeared.
  await expect(async () => {
    const once = page.getByRole('button', { name: 'Once', exact: true });
    if ((await once.count()) > 0) await once.first().click({ timeout: 1_000 });
    await expect(card).toBeHidden({ timeout: 1_000 });
  }).toPass();
  expect(await called).toMatchObject({ isError: false });
  expect(readFileSync(join(project, 'c.txt'), 'utf8')).toBe('from the client\n');
});

test('commands that are alike stand on one card, and its one answer lets all of them run', async ({
  home,
  makeProject,
  serve,
  page,
}) => {
  const names = ['a', 'b', 'c'];
  const project = makeProject(Object.fromEntries(names.map((name) => [`${name}.sh`, `echo ${name} > ${name}.txt\n`])));
  const server = await serve({ project });
  await page.goto(server.url);
  const client = await mcpClient(home, project);
  const called = Promise.all(
    names.map((name) => client.callTool({ name: 'run', arguments: { command: `sh ${name}.sh` } })),
  );
  await page.getByRole('button', { name: /^Inbox/ }).click();
  const card = page.getByRole('dialog', { name: 'Inbox' }).getByRole('region', { name: /Run 3 commands of sh/ });
  const commands = card.getByRole('list', { name: 'Commands' }).getByRole('listitem');
  await expect(commands).toHaveCount(3);
  expect((await commands.allTextContents()).toSorted()).toEqual(['sh a.sh', 'sh b.sh', 'sh c.sh']);
  await shootThemes(page, 'approvals-alike');
  await pressUntilGone(card.getByRole('button', { name: 'All 3 once' }), card);
  expect((await called).map(({ isError }) => isError)).toEqual([false, false, false]);
  for (const name of names) expect(readFileSync(join(project, `${name}.txt`), 'utf8')).toBe(`${name}\n`);
});

test('when the workbench closes meanwhile, the client is asked, else it is denied', async ({
  home,
  makeProject,
  serve,
}) => {
  const project = makeProject({});
  const server = await serve({ project });
  const asked: string[] = [];
  const able = await mcpClient(home, project, (message) => asked.push(message) > 0);
  const called = able.callTool(write);
  const { window } = await waiting(server);
  window.close();
  await server.stop();
  expect(await called).toMatchObject({ isError: false });
  expect([asked.length, existsSync(join(project, 'b.txt'))]).toEqual([1, true]);
  const unable = await mcpClient(home, project);
  expect(await unable.callTool(write)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'PERMISSION_REQUIRED' } },
  });
});
