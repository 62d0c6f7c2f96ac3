import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './test.ts';

interface Violation {
  readonly id: string;
  readonly impact: string | null | undefined;
  readonly where: readonly string[];
}

export const themes = ['light', 'dark', 'contrast'] as const;
type Theme = (typeof themes)[number];

/** Shows the page in a theme, as the system asks for it. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia(
    theme === 'contrast'
      ? { contrast: 'more', reducedMotion: 'reduce' }
      : { colorScheme: theme, contrast: null, reducedMotion: 'reduce' },
  );
  await expect(page.locator('html')).toHaveClass(theme === 'contrast' ? 'dark contrast' : theme);
}

/**
 * What axe finds serious or worse, theme by theme: among it text with a contrast below 4.5, in the high-contrast theme
 * below 7 (large text 3 and 4.5).
 */
export async function violations(page: Page, within: string, themes: readonly Theme[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of themes) {
    await showTheme(page, theme);
    // By `evaluate`: the page's policy lets no script tag in.
    await page.evaluate(axe.source);
    const rules = await page.evaluate(
      async ({ part, isStrict }): Promise<readonly Violation[]> => {
        const { axe: inPage } = window as unknown as { readonly axe: typeof axe };
        // Editors take the colours of a new theme a frame later.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        // What is fading in has another contrast for some frames.
        await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
        const { violations: list } = await inPage.run(
          { include: [part] },
          {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
            rules: { 'color-contrast-enhanced': { enabled: isStrict } },
            resultTypes: ['violations'],
            preload: false,
          },
        );
        return list.map(({ id, impact, nodes }) => ({
          id,
          impact,
          where: nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
        }));
      },
      { part: within, isStrict: theme === 'contrast' },
    );
    for (const { id, impact, where } of rules)
      if (impact === 'serious' || impact === 'critical') found.push(...where.map((html) => `${theme} ${id} ${html}`));
  }
  return found;
}
