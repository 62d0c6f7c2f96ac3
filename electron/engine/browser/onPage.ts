import type { CDPSession, Page } from 'playwright-core';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import type { FoundElement, PageNode, Rect } from './browser.ts';
import { describeElement, elementAt, focusKind, pageSize } from './inPage.ts';
import { type AxNode, pageTree } from './pageTree.ts';
import { scoreElements } from './scoreElements.ts';

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
  return ok({ url: at, title, ...(status === undefined ? {} : { status }), loaded, redirected: loaded && at !== url });
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

async function readTree(protocol: CDPSession): Promise<ReturnType<typeof pageTree>> {
  const { nodes } = await protocol.send('Accessibility.getFullAXTree');
  const { frameTree } = await protocol.send('Page.getFrameTree');
  const frames = new Map<number, readonly AxNode[]>();
  const visit = async (children: typeof frameTree.childFrames): Promise<void> => {
    for (const child of children ?? []) {
      const frameId = child.frame.id;
      // A frame may be gone, or live in another process: then it is left out.
      const owner = await protocol.send('DOM.getFrameOwner', { frameId }).catch(() => undefined);
      const inside = await protocol.send('Accessibility.getFullAXTree', { frameId }).catch(() => undefined);
      if (owner && inside) frames.set(owner.backendNodeId, inside.nodes);
      await visit(child.childFrames);
    }
  };
  await visit(frameTree.childFrames);
  return pageTree(nodes, frames);
}

export async function findElements(page: Page, query: string) {
  return withProtocol(page, async (protocol) => {
    const { tree } = await readTree(protocol);
    const elements: FoundElement[] = [];
    for (const { node, score } of scoreElements(tree, query)) {
      const place = await describeNode(protocol, node);
      const selector = place?.selector || `ref=${node.ref}`;
      elements.push({ selector, ref: node.ref, role: node.role, name: node.name, score, rect: place?.rect ?? null });
    }
    return ok({ elements });
  });
}

async function describeNode(
  protocol: CDPSession,
  { ref }: PageNode,
): Promise<{ readonly selector: string; readonly rect: Rect } | undefined> {
  try {
    const { object } = await protocol.send('DOM.resolveNode', { backendNodeId: Number(ref.slice(1)) });
    const { result } = await protocol.send('Runtime.callFunctionOn', {
      ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
      functionDeclaration: describeElement,
      returnByValue: true,
    });
    return (result.value as { selector: string; rect: Rect } | null) ?? undefined; // of our own function
  } catch {
    return undefined; // gone meanwhile
  }
}

export async function takeScreenshot(
  page: Page,
  { selector, fullPage }: { readonly selector?: string | undefined; readonly fullPage?: boolean | undefined },
): Promise<Result<{ readonly png: Buffer }>> {
  const options = { type: 'png', scale: 'css', animations: 'disabled' } as const;
  if (selector !== undefined) {
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

/** The first element that fits, if it can be seen. Errors: VALIDATION_ERROR, ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE. */
async function elementOf(page: Page, selector: string) {
  const locator = page.locator(selector);
  let count: number;
  try {
    count = await locator.count();
  } catch (error) {
    if (page.isClosed()) throw error;
    return fail('VALIDATION_ERROR', `The selector ${selector} cannot be read`, [
      { path: 'selector', message: 'no selector' },
    ]);
  }
  if (count === 0) return fail('ELEMENT_NOT_FOUND', `No element of the page fits ${selector}`);
  const element = locator.first();
  if (!(await element.isVisible())) return fail('ELEMENT_NOT_VISIBLE', `The element ${selector} is hidden`);
  return ok(element);
}

export async function clickOn(page: Page, selector: string) {
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

function refOf(selector: string): number | undefined {
  const found = /^(?:ref=)?e(\d+)$/.exec(selector.trim());
  return found ? Number(found[1]) : undefined;
}

/** Where the element of a reference is, after it was scrolled into view. ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE. */
async function rectOfRef(page: Page, selector: string): Promise<Result<Rect>> {
  const backendNodeId = refOf(selector) ?? 0;
  return withProtocol(page, async (protocol) => {
    try {
      await protocol.send('DOM.resolveNode', { backendNodeId });
    } catch {
      return fail('ELEMENT_NOT_FOUND', `The page has no element ${selector} any more. Read the page again.`);
    }
    try {
      await protocol.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
      const { quads } = await protocol.send('DOM.getContentQuads', { backendNodeId });
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = quads[0] ?? [];
      const [x, y] = [Math.min(x1, x2, x3, x4), Math.min(y1, y2, y3, y4)];
      const rect = { x, y, width: Math.max(x1, x2, x3, x4) - x, height: Math.max(y1, y2, y3, y4) - y };
      if (rect.width > 0 && rect.height > 0) return ok(rect);
    } catch {
      // It has no layout.
    }
    return fail('ELEMENT_NOT_VISIBLE', `The element ${selector} is hidden`);
  });
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

async function withProtocol<T>(page: Page, act: (protocol: CDPSession) => Promise<Result<T>>): Promise<Result<T>> {
  const protocol = await page.context().newCDPSession(page);
  try {
    return await act(protocol);
  } finally {
    await protocol.detach().catch(() => undefined); // the page may be gone
  }
}
