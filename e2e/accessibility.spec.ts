import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect, test } from './harness/test.ts';
import { applyButton, changeSetCard, composerOf, startSample } from './harness/window.ts';

interface Violation {
  readonly id: string;
  readonly impact: string | null | undefined;
  readonly where: readonly string[];
}

/** What axe finds serious or worse, in the light and in the dark theme. */
async function violations(page: Page, within: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(colorScheme);
    // By `evaluate`: the page's policy lets no script tag in.
    await page.evaluate(axe.source);
    const rules = await page.evaluate(async (part): Promise<readonly Violation[]> => {
      const { axe: inPage } = window as unknown as { readonly axe: typeof axe };
      // Editors take the colours of a new theme a frame later.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      // What is fading in has another contrast for some frames.
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
      const { violations: list } = await inPage.run(
        { include: [part] },
        {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
          resultTypes: ['violations'],
          preload: false,
        },
      );
      return list.map(({ id, impact, nodes }) => ({
        id,
        impact,
        where: nodes.map(({ html }) => html.slice(0, 200)),
      }));
    }, within);
    for (const { id, impact, where } of rules)
      if (impact === 'serious' || impact === 'critical')
        found.push(...where.map((html) => `${colorScheme} ${id} ${html}`));
  }
  return found;
}

test('nothing serious bars the way: welcome, main window, review, searches, console, browser, inbox, settings, a narrow window, in both themes', async ({
  page,
  serve,
}) => {
  // Each look at the whole page takes axe seconds on an idle machine, and there are more than twenty of them.
  test.setTimeout(1_500_000);
  // All of them are told at once: one that is mended must not hide the next.
  const found: string[] = [];
  const check = async (place: string, within = 'html'): Promise<void> => {
    found.push(...(await violations(page, within)).map((violation) => `${place}: ${violation}`));
  };
  const { url } = await serve();
  await page.goto(url);
  await expect(page.getByRole('button', { name: /Try the sample project/ })).toBeVisible();
  await check('welcome');
  await startSample(page, url);
  await expect(changeSetCard(page)).toBeVisible();
  const edit = page.getByRole('button', { name: 'Edit', exact: true }).first();
  await expect(page.locator('.diff-line .word-keyword').first()).toBeVisible();
  await check('review');
  await edit.click();
  await expect(page.locator('.monaco-diff-editor .view-line').first()).toBeVisible();
  await check('an edited file', '.monaco-diff-editor');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await check('plan', '[role=tabpanel]');
  await page.getByRole('tab', { name: 'Browser' }).click();
  await expect(page.getByText('No page yet')).toBeVisible();
  await check('browser', '[role=tabpanel]');
  await page.keyboard.press('Alt+t');
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console.getByText('yours', { exact: true })).toBeVisible();
  await console.getByRole('button', { name: 'Send input' }).click();
  await console.getByRole('button', { name: 'Search the output' }).click();
  await expect(console.getByRole('search')).toBeVisible();
  await check('console', '[aria-label="Console"]');
  await page.keyboard.press('Escape');
  // A shell of one's own has its keys first.
  await composerOf(page).click();
  await page.keyboard.press('Control+f');
  await page.getByRole('main').getByRole('search').getByRole('textbox').fill('the');
  await check('conversation', 'main');
  await page.keyboard.press('Escape');
  await composerOf(page).fill('/');
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible();
  await check('slash commands', 'main');
  await composerOf(page).fill('');

  await page.keyboard.press('Alt+i');
  const inbox = page.getByRole('dialog', { name: 'Inbox' });
  await expect(inbox.getByRole('button', { name: 'Apply all' })).toBeVisible();
  await check('inbox', '[role=dialog]');
  await inbox.getByRole('button', { name: 'Answered' }).click();
  await expect(inbox.getByText('Nothing was asked yet.')).toBeVisible();
  await check('history', '[role=dialog]');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+,');
  for (const section of ['Providers', 'General', 'Shell', 'Rules', 'CLI specs']) {
    await page.getByRole('tab', { name: section }).click();
    await expect(page.getByRole('tabpanel', { name: section }).locator('.skeleton')).toHaveCount(0);
    await check(`settings: ${section}`, '[role=dialog]');
  }
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /^Review/ }).click();
  await expect(applyButton(page)).toBeVisible();
  await page.setViewportSize({ width: 640, height: 800 });
  await expect(page.getByRole('tablist', { name: 'Panels' })).toBeVisible();
  await check('narrow');
  expect(found).toEqual([]);
});
