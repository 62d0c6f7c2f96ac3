import type { Locator, Page } from '@playwright/test';
import type { Desktop } from './desktop.ts';
import { expect } from './test.ts';

export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Files' });
export const sampleButton = (page: Page): Locator => page.getByRole('button', { name: /Try the sample project/ });

/** Opens the sample by its button and waits until its files are shown. */
export async function openSample(desktop: Desktop): Promise<Page> {
  const page = await desktop.page();
  await sampleButton(page).click();
  await expect(tree(page).getByText('package.json')).toBeVisible();
  return page;
}

/** Clicks an item of the menu bar by the labels that lead to it; whether there is one that is enabled. */
export function clickMenu(desktop: Desktop, ...labels: readonly string[]): Promise<boolean> {
  return desktop.evaluate(({ Menu }, path) => {
    let menu = Menu.getApplicationMenu();
    let item: Electron.MenuItem | undefined;
    for (const label of path) {
      item = menu?.items.find((one) => one.label === label);
      menu = item?.submenu ?? null;
    }
    if (item?.enabled === false) return false;
    item?.click();
    return item !== undefined;
  }, labels);
}
