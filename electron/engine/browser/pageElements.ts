import type { CDPSession, Page } from 'playwright-core';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { FoundElement, PageNode, Rect } from './browser.ts';
import { describeElement } from './inPage.ts';
import { listElements, listUsable, namedElement } from './namedElement.ts';
import { type AxNode, pageTree } from './pageTree.ts';
import { scoreElements } from './scoreElements.ts';

export async function readTree(protocol: CDPSession): Promise<ReturnType<typeof pageTree>> {
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
      objectId: object.objectId,
      functionDeclaration: describeElement,
      returnByValue: true,
    });
    return (result.value as { selector: string; rect: Rect } | null) ?? undefined; // of our own function
  } catch {
    return undefined; // gone meanwhile
  }
}

/** The first element that fits, if it can be seen. Errors: VALIDATION_ERROR, ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE. */
export async function elementOf(page: Page, selector: string) {
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
  if (count === 0) {
    const there = await withProtocol(page, async (protocol) => ok(listUsable((await readTree(protocol)).tree)));
    return fail('ELEMENT_NOT_FOUND', `No element of the page fits ${selector}. ${there.ok ? there.value : ''}`);
  }
  const element = locator.first();
  if (!(await element.isVisible())) return fail('ELEMENT_NOT_VISIBLE', `The element ${selector} is hidden`);
  return ok(element);
}

/**
 * The reference or CSS selector of what is given by its name: `element=Login`, `field=Email` (only what can be typed into).
 * The name counts first, then a selector, then a part of a name. Errors: ELEMENT_NOT_FOUND with what there is, VALIDATION_ERROR
 * where several fit.
 */
export async function selectorOf(page: Page, given: string): Promise<Result<string>> {
  const [, kind, words = ''] = /^(element|field)=(.*)$/s.exec(given.trim()) ?? [];
  if (kind === undefined || refOf(words) !== undefined) return ok(kind === undefined ? given : words);
  const toFill = kind === 'field';
  return withProtocol(page, async (protocol) => {
    const { tree } = await readTree(protocol);
    let named = namedElement(tree, words, { toFill });
    if (named.kind === 'none') {
      const count = await page
        .locator(words)
        .count()
        .catch(() => 0);
      if (count > 0) return ok(words);
      named = namedElement(tree, words, { toFill, within: true });
    }
    if (named.kind === 'one') return ok(`ref=${named.node.ref}`);
    if (named.kind === 'none')
      return fail('ELEMENT_NOT_FOUND', `Nothing on the page is called "${words}". ${listUsable(tree)}`);
    const message = `"${words}" may be any of these; name one by its ref: ${listElements(named.nodes)}`;
    return fail('VALIDATION_ERROR', message, [{ path: 'selector', message }]);
  });
}

export function refOf(selector: string): number | undefined {
  const found = /^(?:ref=)?e(\d+)$/.exec(selector.trim());
  return found ? Number(found[1]) : undefined;
}

/** Where the element of a reference is, after it was scrolled into view. ELEMENT_NOT_FOUND, ELEMENT_NOT_VISIBLE. */
export async function rectOfRef(page: Page, selector: string): Promise<Result<Rect>> {
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

export async function withProtocol<T>(
  page: Page,
  act: (protocol: CDPSession) => Promise<Result<T>>,
): Promise<Result<T>> {
  const protocol = await page.context().newCDPSession(page);
  try {
    return await act(protocol);
  } finally {
    await protocol.detach().catch(() => undefined); // the page may be gone
  }
}
