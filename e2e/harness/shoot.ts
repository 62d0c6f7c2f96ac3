import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

const folder = join(import.meta.dirname, '..', '__screenshots__');

/** Whether pictures are taken of the desktop's window too: `VISE_SHOTS=1 xvfb-run -s '-screen 0 1440x900x24' …`. */
export const isPictured = process.env['VISE_SHOTS'] === '1' && process.env['DISPLAY'] !== undefined;

/** What the display shows of the desktop's window, its frame included, in both themes, for the docs. ImageMagick takes it. */
export async function shootDesktop(page: Page): Promise<void> {
  if (!isPictured) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(1_000); // the display paints when it likes to
    const path = join(folder, '..', '..', 'docs', `desktop-${colorScheme}.png`);
    execFileSync('import', ['-window', 'root', path]);
  }
}

/** Takes a picture for `e2e/__screenshots__/` where `VISE_SHOTS=1` asks for it; animations are finished first. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

/** The picture of the README, taken with the others. */
export async function shootDocs(page: Page): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  await page.emulateMedia({ colorScheme: 'dark' });
  const path = join(folder, '..', '..', 'docs', 'window.png');
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

/** The same moment in the dark and in the light theme. */
export async function shootThemes(page: Page, name: string): Promise<void> {
  if (process.env['VISE_SHOTS'] !== '1') return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await shoot(page, `${name}-${colorScheme}`);
  }
}
