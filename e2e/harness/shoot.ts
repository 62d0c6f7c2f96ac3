import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const folder = join(import.meta.dirname, '..', '__screenshots__');

/** Takes a picture for `e2e/__screenshots__/` where `VISE_SHOTS=1` asks for it; animations are finished first. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

/** The pictures of README and guide, taken with the others. */
export async function shootDocs(page: Page): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  for (const [colorScheme, name] of [
    ['dark', 'window'],
    ['light', 'window-light'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, '..', '..', 'docs', `${name}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
}

/** The same moment in the dark and in the light theme. */
export async function shootThemes(page: Page, name: string): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await shoot(page, `${name}-${colorScheme}`);
  }
}
