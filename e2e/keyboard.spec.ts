import type { Locator, Page } from '@playwright/test';
import { connect } from './harness/connect.ts';
import { readTree } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { applyButton, changeSetCard, commandCard, composerOf, seeLastReply } from './harness/window.ts';

/** More stops than any round through the window has. */
const mostStops = 150;

/** Goes on with Tab until this has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${String(target)} in ${mostStops} stops.`);
}

/** Presses keys until the question is gone: what is pressed in its first half second does not count. */
async function answer(page: Page, keys: string, question: Locator, focus?: Locator): Promise<void> {
  await expect(async () => {
    if (await question.isVisible()) {
      if (focus) await tabTo(page, focus);
      await page.keyboard.press(keys);
    }
    await expect(question).toBeHidden({ timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
}

test('the sample by the keyboard alone: palette, message, hunks, inbox, apply, approve, undo', async ({
  page,
  serve,
}) => {
  test.slow();
  const { url } = await serve();
  await page.goto(url);
  await expect(page.getByRole('button', { name: /Try the sample project/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('sample');
  await expect(page.getByRole('option', { name: /Try the sample project/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('package.json')).toBeVisible();
  await expect(composerOf(page)).toBeFocused();
  const client = await connect(url);
  const bench = await client.call('workbench.watch', {});
  client.close();
  const project = bench.ok ? (bench.value.state.projects[0]?.path ?? '') : '';
  const before = readTree(project);

  await page.keyboard.type('Make the failing test pass');
  await page.keyboard.press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await expect(changeSetCard(page)).toBeVisible();

  // One hunk of the file on show is left out.
  const reject = page.getByRole('button', { name: 'Reject hunk: Hunk 1 of 5' });
  await tabTo(page, reject);
  await page.keyboard.press('Enter');
  await expect(applyButton(page)).toContainText('Apply 6 of 7 hunks');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Accept hunk: Hunk 1 of 5' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');

  // The inbox opens with no button in focus, and gives the focus back.
  await page.keyboard.press('Alt+i');
  const inbox = page.getByRole('dialog', { name: 'Inbox' });
  await expect(inbox).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inbox).toBeHidden();

  await page.keyboard.press('Control+i');
  await expect(composerOf(page)).toBeFocused();
  await answer(page, 'Control+Enter', applyButton(page));
  await expect(commandCard(page)).toBeVisible();
  expect(readTree(project)).not.toEqual(before);

  await page.keyboard.press('Alt+i');
  const once = inbox.getByRole('button', { name: 'Once', exact: true });
  await answer(page, 'Enter', once, once);
  await page.keyboard.press('Escape');
  await seeLastReply(page);

  await page.keyboard.press('Alt+z');
  await until('the changes to be undone', () => JSON.stringify(readTree(project)) === JSON.stringify(before));
});
