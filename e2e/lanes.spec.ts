import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, scripted } from './harness/configure.ts';
import { beginRepository } from './harness/gitRepository.ts';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { composerOf, openFreeSession } from './harness/window.ts';

test('a lane is made, worked in, brought home through the review and closed, all in the window', async ({
  page,
  serve,
  makeProject,
  home,
}) => {
  test.slow();
  const project = makeProject({ 'a.txt': 'one\n' });
  const git = beginRepository(project);
  const write = { tool: 'write_file', input: { filePath: 'new.txt', content: 'of the lane\n' } };
  const args = scripted(home, [{ calls: [write] }, { text: 'Written.' }]);
  configure(home, { settings: { mode: 'direct' } });
  const { url } = await serve({ project, args });
  const { client } = await openFreeSession(page, url, project);
  client.close();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const inList = sessions.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Lane' }) });
  const dialog = page.getByRole('dialog');

  await sessions.getByRole('button', { name: 'New lane…' }).click();
  await dialog.getByRole('textbox', { name: 'Name of the lane' }).fill('No name');
  await dialog.getByRole('button', { name: 'Make the lane' }).click();
  await expect(dialog.getByRole('alert')).toContainText('is not the name of a lane');
  await dialog.getByRole('textbox', { name: 'Name of the lane' }).fill('idea');
  await shootThemes(page, 'lane-new');
  await dialog.getByRole('button', { name: 'Make the lane' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(inList).toContainText('vise/idea');
  await expect(inList.locator('[aria-current=true]')).toHaveCount(1);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'Untitled session' })).not.toHaveCount(0);

  await composerOf(page).fill('Write it');
  await composerOf(page).press('Enter');
  await page
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click();
  await expect(page.getByText('Written.')).toBeVisible();
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
  await expect(inList).toContainText('+1');
  await shootThemes(page, 'lane-list');

  const menu = inList.getByRole('button', { name: /^Session actions/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Close the lane…' }).click();
  await dialog.getByRole('button', { name: 'Close lane' }).click();
  await expect(dialog.getByRole('alert')).toContainText('new.txt');
  await expect(dialog.getByRole('button', { name: 'Close and let it go' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await menu.click();
  await page.getByRole('menuitem', { name: 'Bring the lane home' }).click();
  await expect(page.getByRole('button', { name: /^Bring home idea/ }).first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click();
  await expect.poll(() => existsSync(join(project, 'new.txt'))).toBe(true);
  expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe('of the lane\n');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Close the lane…' }).click();
  await dialog.getByRole('button', { name: 'Close lane' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(inList).toHaveCount(0);
  expect(git('branch', '--list', 'vise/*')).toBe('');
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});
