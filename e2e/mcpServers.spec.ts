import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAuthServer } from '../electron/engine/bridge/mcp/testing/authServer.ts';
import { configure, scripted } from './harness/configure.ts';
import { productRoot } from './harness/folders.ts';
import { shoot, shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { pressUntilGone } from './harness/window.ts';

const program = join(productRoot, 'electron', 'engine', 'bridge', 'mcp', 'testing', 'remoteServer.ts');
const local = { command: process.execPath, args: [program] };

/** Every text that the product has written, but the keys. */
function writtenTexts(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'keys.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

test('the page of MCP servers: trust, tools, log, off and on, sign in and out; a form of a server is a question', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  configure(home, { settings: { mode: 'direct' } });
  const auth = await startAuthServer();
  try {
    const servers = { local, team: { url: auth.url }, gone: { command: 'no-such-server-here' }, wrong: {} };
    const project = makeProject({ '.mcp.json': JSON.stringify({ mcpServers: servers }) });
    const args = scripted(home, [{ calls: [{ tool: 'mcp_local_order', input: {} }] }, { text: 'Ordered.' }]);
    const { url } = await serve({ project, args });
    await page.goto(url);
    const open = async () => {
      await page.keyboard.press('Control+,');
      await page.getByRole('tab', { name: 'MCP servers' }).click();
      return page.getByRole('tabpanel', { name: 'MCP servers' });
    };
    let panel = await open();
    const card = (name: string) =>
      panel.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name}`) }) });
    await expect(card('local')).toContainText('waits for trust in this project');
    await card('local').getByRole('button', { name: 'Look and trust…: local' }).click();
    const trust = page.getByRole('dialog').getByRole('button', { name: 'Trust this folder' });
    await pressUntilGone(trust, trust);

    panel = await open();
    await expect(card('local')).toContainText('ready');
    await expect(card('gone')).toContainText('no-such-server-here');
    await expect(panel).toContainText('needs "command" or "url"');
    await card('local')
      .getByRole('button', { name: /^\d+ tools, 1 prompt, 1 resource/ })
      .click();
    await expect(card('local')).toContainText('docs://handbook');
    await card('local').getByRole('button', { name: /^Log/ }).click();
    await expect(card('local').getByRole('log')).toContainText('starting…');

    await card('local').getByRole('checkbox').click();
    await expect(card('local').getByRole('heading')).toContainText('off');
    await card('local').getByRole('checkbox').click();
    await expect(card('local').getByRole('heading')).toContainText('ready');

    await expect(card('team')).toContainText('needs you to sign in');
    await shootThemes(page, 'mcp-servers');
    auth.behaviour.page = 'deny';
    const signIn = card('team').getByRole('button', { name: 'Sign in…: team' });
    const [refused] = await Promise.all([page.context().waitForEvent('page'), signIn.click()]);
    await expect(refused.getByText('Vise was not signed in')).toBeVisible();
    await expect(card('team')).toContainText('Signing in was refused: access_denied');
    auth.behaviour.page = 'allow';
    const [allowed] = await Promise.all([page.context().waitForEvent('page'), signIn.click()]);
    await expect(allowed.getByText('Vise has the answer')).toBeVisible();
    await expect(card('team').getByRole('heading')).toContainText('ready');
    await card('team').getByRole('button', { name: 'Restart: team' }).click();
    await expect(card('team').getByRole('heading')).toContainText('ready');
    await shootThemes(page, 'mcp-servers-signed-in');
    auth.revoke();
    await card('team').getByRole('button', { name: 'Restart: team' }).click();
    await expect(card('team')).toContainText('needs you to sign in');
    const [again] = await Promise.all([page.context().waitForEvent('page'), signIn.click()]);
    await expect(again.getByText('Vise has the answer')).toBeVisible();
    await card('team').getByRole('button', { name: 'Sign out: team' }).click();
    await expect(card('team')).toContainText('needs you to sign in');

    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).fill('Order one.');
    await page.keyboard.press('Enter');
    const talk = page.getByRole('log').first();
    const once = talk.getByRole('button', { name: 'Once', exact: true });
    await pressUntilGone(once, once);
    const asked = (field: RegExp) => talk.getByRole('paragraph').filter({ hasText: field });
    const large = talk.getByRole('button', { name: 'large', exact: true });
    await expect(asked(/The MCP server local asks: What shall it be\?\s+Size/)).toBeVisible();
    await shoot(page, 'mcp-form');
    await pressUntilGone(large, large);
    await expect(asked(/How many/)).toBeVisible();
    await talk.getByRole('textbox', { name: 'Your answer' }).fill('3');
    await pressUntilGone(talk.getByRole('button', { name: 'Answer', exact: true }), asked(/How many/));
    const yes = talk.getByRole('button', { name: 'Yes', exact: true });
    await pressUntilGone(yes, yes);
    await expect(talk.getByText('Ordered.')).toBeVisible();
    const written = writtenTexts(home);
    expect(written).toContain('mcp_local_order');
    expect(auth.given.filter((token) => written.includes(token))).toEqual([]);
  } finally {
    await auth.close();
  }
});
