import type { Page } from 'playwright-core';
import { ok } from '../../../shared/result.ts';
import { markdownOfPage, scrollBy } from './inPage.ts';

/** A page may be endless; a reader is not. */
const maxText = 200_000;

export async function scrollPage(page: Page, direction: 'up' | 'down' | 'left' | 'right', pixels: number) {
  const by = direction === 'up' || direction === 'left' ? -pixels : pixels;
  const [x, y] = direction === 'left' || direction === 'right' ? [by, 0] : [0, by];
  return ok(await page.evaluate<{ x: number; y: number }>(`(${scrollBy})([${x}, ${y}])`));
}

export async function pageHtml(page: Page) {
  const { text, ...about } = await bounded(page, await page.content());
  return ok({ ...about, html: text });
}

export async function pageMarkdown(page: Page) {
  const { text, ...about } = await bounded(page, await page.evaluate<string>(`(${markdownOfPage})(${maxText})`));
  return ok({ ...about, markdown: text });
}

async function bounded(page: Page, text: string) {
  const title = await page.title().catch(() => '');
  return { url: page.url(), title, text: text.slice(0, maxText), truncated: text.length > maxText };
}
