import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { connect } from './harness/connect.ts';
import { shoot, shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';

const long = 'Find out why the import of last year’s invoices fails for customers abroad, and mend it';

test('sessions of all projects stand by project and day, pinned ones on top, with their full titles', async ({
  makeProject,
  page,
  serve,
}) => {
  const [here, there] = [makeProject({ 'a.txt': 'one\n' }), makeProject({ 'b.txt': 'two\n' })];
  const { url } = await serve({ project: here });
  const client = await connect(url);
  await client.call('project.open', { path: there });
  // The one that was opened last is shown.
  await client.call('project.open', { path: here });
  for (const [project, title] of [
    [here, long],
    [here, 'Second here'],
    [there, 'Work over there'],
  ] as const)
    await client.call('session.create', { project, title });
  client.close();
  await page.goto(url);
  await page.getByRole('button', { name: /Look around/ }).click();
  const list = page.getByRole('region', { name: 'Sessions' });
  const lines = list.getByRole('listitem');
  await expect(lines).toHaveCount(2);
  const title = list.getByText(long);
  const { height } = (await title.boundingBox()) ?? { height: 0 };
  expect(height).toBeGreaterThan(30);

  await list.getByRole('button', { name: 'Which sessions' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Of all projects' }).click();
  await expect(list.getByText('Work over there')).toBeVisible();
  await expect(lines).toHaveCount(5);

  // By keys alone: the menu of a session pins it.
  await list.getByRole('button', { name: 'Session actions: Work over there' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Pin on top' }).press('Enter');
  await expect(lines.first()).toHaveText('Pinned');
  await expect(lines.nth(1)).toContainText('Work over there');
  // No head above it names its project.
  await expect(lines.nth(1)).toContainText(basename(there));
  await shootThemes(page, 'sessions-all');
  await page.emulateMedia({ contrast: 'more' });
  await shoot(page, 'sessions-all-contrast');
  await page.emulateMedia({ contrast: null });

  // It stays so, and shows the project that it is of.
  await page.reload();
  await expect(lines.nth(1)).toContainText('Work over there');
  await list.getByRole('button', { name: /^Work over there/ }).click();
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('b.txt')).toBeVisible();

  await list.getByRole('button', { name: 'Which sessions' }).click();
  await page.getByRole('menuitemradio', { name: 'Running' }).click();
  await expect(list.getByText('No session is so now')).toBeVisible();
});

test('a folder is asked about where something of it could run, and only once', async ({ makeProject, page, serve }) => {
  const [plain, steered] = [makeProject({ 'a.txt': 'one\n' }), makeProject({ 'AGENTS.md': 'Be brief.\n' })];
  const { url } = await serve();
  await page.goto(url);
  const dialog = page.getByRole('dialog');
  const tree = page.getByRole('tree', { name: 'Files' });
  const open = async (folder: string): Promise<void> => {
    await page.keyboard.press('Control+o');
    const path = dialog.getByRole('textbox');
    // It names the home folder once that is read.
    await expect(path).not.toHaveValue('');
    await path.fill(folder);
    await path.press('Enter');
    await dialog.getByRole('button', { name: /^(Open|Choose)/ }).click();
  };
  await open(plain);
  await expect(tree.getByText('a.txt')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Restricted' })).toBeHidden();
  await open(steered);
  await dialog.getByRole('button', { name: 'Keep restricted' }).click();
  await expect(tree.getByText('AGENTS.md')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Restricted' })).toBeVisible();
  await open(plain);
  await expect(tree.getByText('a.txt')).toBeVisible();
  await open(steered);
  await expect(tree.getByText('AGENTS.md')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('the tree follows the disk and git, folders first, and what a file offers stands in its menu', async ({
  context,
  makeProject,
  page,
  serve,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const project = makeProject({ 'a.txt': 'one\n', 'z/deep.txt': 'two\n', 'note10.md': '', 'note9.md': '' });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const { url } = await serve({ project });
  await page.goto(url);
  await page.getByRole('button', { name: /Look around/ }).click();
  const tree = page.getByRole('tree', { name: 'Files' });
  const lines = tree.getByRole('treeitem');
  await expect(lines).toHaveText([/^z/, /^a\.txt/, /^note9\.md/, /^note10\.md/]);

  // Somebody else writes: the tree shows it, and what git says of it.
  writeFileSync(join(project, 'z', 'deep.txt'), 'changed\n');
  writeFileSync(join(project, 'new.txt'), '');
  await expect(tree.getByRole('treeitem').filter({ hasText: 'new.txt' })).toContainText('untracked');
  await expect(lines.first()).toContainText('modified');
  await lines.first().getByRole('button').first().click();
  await expect(lines.nth(1)).toContainText('deep.txt');
  await expect(lines.nth(1)).toContainText('modified');
  await shootThemes(page, 'tree');

  // The menu, by the right button and by keys.
  await tree.getByText('a.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy path in the project' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('a.txt');
  await tree.getByRole('button', { name: 'Actions: a.txt' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Mention in the message' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(/@a\.txt/);
});
