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
