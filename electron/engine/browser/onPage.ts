import type { Page } from 'playwright-core';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import type { Rect } from './browser.ts';
import { elementAt, focusKind, pageSize } from './inPage.ts';
import { elementOf, readTree, rectOfRef, refOf, selectorOf, withProtocol } from './pageElements.ts';

/** Chromium draws no surface beyond this, in CSS pixels. */
const maxPicture = 16_384;

/** How long an element may take to become clickable: what is covered or moving stays so. */
const clickMs = 3_000;

/** How long the browser's own page about a failure may take. */
const errorPageMs = 2_000;

/** Longer texts are inserted at once, not typed key by key. */
const typedCharacters = 500;

/** `timeoutMs` is all there is; a part of it is kept for reading the title. */
export async function navigate(page: Page, url: string, timeoutMs: number) {
  const deadline = performance.now() + timeoutMs * 0.8;
  const left = (): number => Math.max(1, deadline - performance.now());
  let loaded = true;
  let status: number | undefined;
  try {
    const response = await goTo(page, url, left);
    status = response?.status();
    await page.waitForLoadState('load', { timeout: left() });
  } catch (error) {
    const why = describeError(error);
    if (why.includes('Download is starting'))
      return fail('NAVIGATION_FAILED', `${url} is no page: it is a download, and this browser keeps none.`);
    if (!/Timeout [\d.]+ms exceeded/i.test(why)) {
      // The page that tells of it arrives after the failure, and would cut the next navigation off.
      await page.waitForURL(/^chrome-error:/, { waitUntil: 'load', timeout: errorPageMs }).catch(() => undefined);
      const net = /net::\w+|ERR_\w+/.exec(why)?.[0] ?? why.split('\n', 1)[0];
      return fail('NAVIGATION_FAILED', `${url} could not be opened: ${net}`, { reason: net });
    }
    loaded = false;
  }
  const at = page.url();
  const title = await titleOf(page);
  return ok({ url: at, title, status, loaded, redirected: loaded && at !== url });
}

/** What another page began just before (a failure's page, a script) may cut this navigation off: then it is begun again. */
async function goTo(page: Page, url: string, left: () => number) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await page.goto(url, { waitUntil: 'commit', timeout: left() });
    } catch (error) {
      if (attempt >= 2 || !/interrupted by another navigation to "chrome-error:/.test(describeError(error)))
        throw error;
    }
  }
}

/** A page that is busy has no title yet; that must not hold the answer up. */
async function titleOf(page: Page): Promise<string> {
  return Promise.race([
    page.title().catch(() => ''),
    new Promise<string>((resolve) => setTimeout(resolve, 1_000, '').unref()),
  ]);
}

export async function readPage(page: Page) {
  return withProtocol(page, async (protocol) => {
    const { tree, truncated } = await readTree(protocol);
    return ok({ url: page.url(), title: await titleOf(page), tree, truncated });
  });
}

export async function takeScreenshot(
  page: Page,
  { selector: given, fullPage }: { readonly selector?: string | undefined; readonly fullPage?: boolean | undefined },
): Promise<Result<{ readonly png: Buffer }>> {
  const options = { type: 'png', scale: 'css', animations: 'disabled' } as const;
  if (given !== undefined) {
    const found = await selectorOf(page, given);
    if (!found.ok) return found;
    const selector = found.value;
    if (refOf(selector) !== undefined) {
      const rect = await rectOfRef(page, selector);
      if (!rect.ok) return rect;
      return ok({ png: await page.screenshot({ ...options, clip: capped(rect.value) }) });
    }
    const element = await elementOf(page, selector);
    if (!element.ok) return element;
    const box = await element.value.boundingBox();
    if (!box || (box.width <= maxPicture && box.height <= maxPicture))
      return ok({ png: await element.value.screenshot({ ...options, timeout: clickMs }) });
    const [left, top] = await page.evaluate<[number, number]>('[scrollX, scrollY]');
    const clip = capped({ ...box, x: box.x + left, y: box.y + top });
    return ok({ png: await page.screenshot({ ...options, fullPage: true, clip }) });
  }
  if (fullPage !== true) return ok({ png: await page.screenshot(options) });
  const size = await page.evaluate<{ width: number; height: number }>(`(${pageSize})()`);
  const isHuge = size.width > maxPicture || size.height > maxPicture;
  const width = Math.min(size.width, maxPicture);
  const clip = { x: 0, y: 0, width, height: Math.min(size.height, maxPicture) };
  return ok({ png: await page.screenshot({ ...options, fullPage: true, ...(isHuge ? { clip } : {}) }) });
}

function capped(rect: Rect): Rect {
  return { ...rect, width: Math.min(rect.width, maxPicture), height: Math.min(rect.height, maxPicture) };
}

export async function clickOn(page: Page, given: string) {
  const found = await selectorOf(page, given);
  if (!found.ok) return found;
  const selector = found.value;
  if (refOf(selector) !== undefined) {
    const rect = await rectOfRef(page, selector);
    if (!rect.ok) return rect;
    const { x, y, width, height } = rect.value;
    return press(page, x + width / 2, y + height / 2);
  }
  const element = await elementOf(page, selector);
  if (!element.ok) return element;
  await element.value.scrollIntoViewIfNeeded({ timeout: clickMs });
  const box = await element.value.boundingBox();
  if (!box) return fail('ELEMENT_NOT_VISIBLE', `The element ${selector} has no size`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const named = await page.evaluate<string | null>(`(${elementAt})([${x}, ${y}])`);
  try {
    await element.value.click({ timeout: clickMs });
  } catch (error) {
    const why = /<[^>]+>[^\n]*intercepts pointer events/.exec(describeError(error))?.[0] ?? 'it does not hold still';
    return fail('ELEMENT_NOT_VISIBLE', `The element ${selector} cannot be clicked: ${why}`);
  }
  return ok({ x, y, ...(named === null ? {} : { element: named }) });
}

export async function clickAt(page: Page, x: number, y: number) {
  return press(page, x, y);
}

async function press(page: Page, x: number, y: number) {
  const element = await page.evaluate<string | null>(`(${elementAt})([${x}, ${y}])`);
  if (element === null) return fail('ELEMENT_NOT_FOUND', `There is nothing at ${x}, ${y}: it lies outside the view`);
  await page.mouse.click(x, y);
  return ok({ x, y, element });
}

export async function typeText(page: Page, text: string): Promise<Result<object>> {
  let kind = await page.evaluate<string>(`(${focusKind})()`);
  if (kind === 'frame') {
    for (const frame of page.frames().slice(1)) {
      const inside = await frame.evaluate<string>(`(${focusKind})()`).catch(() => 'none');
      if (inside !== 'none' && inside !== 'frame') kind = inside;
    }
  }
  if (kind === 'none' || kind === 'frame')
    return fail('NO_FOCUSED_ELEMENT', 'Nothing on the page has the focus. Click an input field first.');
  if (kind !== 'editable') return fail('NOT_EDITABLE', 'What has the focus takes no text. Click an input field first.');
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (const [at, line] of lines.entries()) {
    if (at > 0) await page.keyboard.press('Enter');
    if (line.length > typedCharacters) await page.keyboard.insertText(line);
    else if (line !== '') await page.keyboard.type(line);
  }
  return ok({});
}
