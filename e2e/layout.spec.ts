import type { Page } from '@playwright/test';
import { shootThemes } from './harness/shoot.ts';
import { expect, test } from './harness/test.ts';
import { applyButton, composerOf, reviewOf } from './harness/window.ts';

const rightTabs = (page: Page) => page.getByRole('tablist', { name: 'Review, files, plan, git and browser' });
const consoleOf = (page: Page) => page.getByRole('region', { name: 'Console' });

async function arrange(page: Page, layout: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`Layout ${layout}`);
  await page.keyboard.press('Enter');
}

const boxOf = async (page: Page, label: string) => {
  const box = await page.getByLabel(label, { exact: true }).first().boundingBox();
  if (!box) throw new Error(`${label} is not on show.`);
  return box;
};

test('the layout follows the work: empty sides take no room, the review opens, a project keeps its own', async ({
  makeProject,
  page,
  serve,
}) => {
  test.slow();
  const other = makeProject({ 'a.ts': 'export const a = 1;\n' });
  const { url } = await serve({ project: other });
  await page.goto(url);
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('a.ts')).toBeVisible();
  await page.keyboard.press('Escape');

  // Nothing to review, no task: the conversation has the room.
  await expect(rightTabs(page)).toBeHidden();
  expect((await boxOf(page, 'Console')).height).toBeLessThan(40);
  await shootThemes(page, 'layout-start');

  // A file is opened by its name, by keys alone, and the focus is where one looks.
  await page.keyboard.press('Control+p');
  await expect(page.getByRole('dialog', { name: 'Open a file by its name' })).toBeVisible();
  await page.keyboard.type('a.t');
  await expect(page.getByRole('option', { name: /a\.ts/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tabpanel', { name: 'Files' }).getByText('export const a = 1;')).toBeVisible();
  await composerOf(page).focus();
  await page.keyboard.press('Alt+3');
  await expect(page.getByRole('tabpanel', { name: 'Plan' })).toBeFocused();
  await page.keyboard.press('Alt+r');
  await expect(rightTabs(page)).toBeHidden();
  await arrange(page, 'conversation alone');
  await expect(page.getByRole('tree', { name: 'Files' })).toBeHidden();
  await expect(consoleOf(page)).toBeHidden();

  // Another project begins like this one was left, and each keeps what it is given.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Try the sample');
  await page.keyboard.press('Enter');
  await expect(composerOf(page)).toBeFocused();
  await arrange(page, 'everything');
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('package.json')).toBeVisible();
  await page.keyboard.press('Alt+r');
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  const review = await reviewOf(page).boundingBox();
  expect(review?.width).toBeGreaterThan(560);

  // 1024 × 700, which is also 150 % of 1536 × 1050: nothing is cut off, the review is the larger part.
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(applyButton(page)).toBeInViewport({ ratio: 1 });
  await expect(composerOf(page)).toBeInViewport();
  const cut = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('header, main, footer, [role=tablist]')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.getAttribute('aria-label') ?? part.tagName),
  );
  expect(cut).toEqual([]);
  await shootThemes(page, 'layout-1024');
  await arrange(page, 'conversation and review');
  expect((await reviewOf(page).boundingBox())?.width).toBeGreaterThan(500);
  await shootThemes(page, 'layout-1024-review');

  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('menuitem', { name: new RegExp(other.split('/').at(-1) ?? '') }).click();
  await expect(rightTabs(page)).toBeHidden();
  await page.reload();
  await expect(composerOf(page)).toBeVisible();
  await expect(rightTabs(page)).toBeHidden();
});

test('a console dragged tall on a large screen leaves a small one its half', async ({ page, serve }) => {
  await page.setViewportSize({ width: 3840, height: 2160 });
  const { url } = await serve();
  await page.goto(url);
  await page.getByRole('button', { name: /Try the sample project/ }).click();
  await expect(composerOf(page)).toBeFocused();
  await page.keyboard.press('Alt+t');
  await expect(consoleOf(page).locator('[data-own-keys]').getByRole('textbox')).toBeFocused();
  const { y } = await boxOf(page, 'Console');
  await page.mouse.move(1900, y - 1);
  await page.mouse.down();
  await page.mouse.move(1900, 300, { steps: 5 });
  await page.mouse.up();
  expect((await boxOf(page, 'Console')).height).toBeGreaterThan(900);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await expect(consoleOf(page).locator('[data-own-keys]')).toBeVisible();
  expect((await boxOf(page, 'Console')).height).toBeLessThanOrEqual(450);
});
