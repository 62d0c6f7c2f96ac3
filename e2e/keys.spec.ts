import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, reviewOf } from './harness/window.ts';

test('the review is a key away, a shell has its keys for itself, and the console takes room when there is a task', async ({
  page,
  serve,
}) => {
  test.slow();
  const { url } = await serve();
  await page.goto(url);
  await page.getByRole('button', { name: /Try the sample project/ }).click();
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console).toBeVisible();
  expect((await console.boundingBox())?.height).toBeLessThan(40);

  // The review comes on show by itself, though another tab was.
  await page.keyboard.press('Alt+3');
  await expect(page.getByRole('tabpanel', { name: 'Plan' })).toBeFocused();
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await expect(page.getByRole('button', { name: 'Inbox, 1 waiting' })).toBeVisible();
  const first = reviewOf(page).getByRole('button', { name: /^Accept hunk: Hunk 1 of/ });
  await expect(first).toBeVisible();
  await composerOf(page).focus();
  await page.keyboard.press('Alt+1');
  await expect(first).toBeFocused();

  // A new shell takes the focus, the room of the console, and Ctrl+K; with Shift the key is the window's.
  await page.keyboard.press('Alt+t');
  await expect(console.locator('[data-own-keys]').getByRole('textbox')).toBeFocused();
  expect((await console.boundingBox())?.height).toBeGreaterThan(90);
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Alt+i');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+Shift+K');
  await expect(palette).toBeVisible();
});

test('a command is given other keys, those of another command are refused, and the new ones are kept and shown', async ({
  makeProject,
  page,
  serve,
}) => {
  const { url } = await serve({ project: makeProject({}) });
  await page.goto(url);
  await expect(composerOf(page)).toBeVisible();
  await page.keyboard.press('Control+/');
  await page.getByRole('button', { name: 'Change…', exact: true }).click();
  const list = page.getByRole('list', { name: 'Keyboard shortcuts' });
  await list.getByRole('button', { name: 'Open the inbox: Alt+I' }).click();
  await page.keyboard.press('Alt+n');
  await expect(page.getByRole('status').filter({ hasText: 'Alt+N is taken by “New session”' })).toBeVisible();
  await page.keyboard.press('Alt+j');
  await expect(list.getByRole('button', { name: 'Open the inbox: Alt+J' })).toBeVisible();
  await shootThemes(page, 'shortcuts');
  await page.getByRole('button', { name: 'Close' }).first().click();
  await expect(list).toBeHidden();

  await page.reload();
  await expect(composerOf(page)).toBeVisible();
  const inbox = page.getByRole('dialog', { name: 'Inbox' });
  const line = page.getByRole('option', { name: /Open the inbox/ });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(line).toContainText('Alt+J', { timeout: 2_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(line).toBeHidden();
  await page.keyboard.press('Alt+i');
  await expect(inbox).toBeHidden();
  await page.keyboard.press('Alt+j');
  await expect(inbox).toBeVisible();
});
