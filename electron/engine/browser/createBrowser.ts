import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Tab } from '../../../shared/model/brought.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Browser, BrowserStatus, TabRequest } from './browser.ts';
import { type BrowserPlace, findBrowser, remedy } from './findBrowser.ts';
import type { HostGuard, Refused } from './hostGuard.ts';
import { clickAt, clickOn, navigate, readPage, takeScreenshot, typeText } from './onPage.ts';
import { type LaunchDeps, openTabs, type Tabs } from './openTabs.ts';
import { findElements } from './pageElements.ts';
import { pageHtml, pageMarkdown, scrollPage } from './pageText.ts';
import { withLimit } from './withLimit.ts';

export interface BrowserDeps extends LaunchDeps {
  /** For one call, ms; 30 s unless told. */
  readonly limitMs?: number;
}

const titleMs = 1_000;

/** How long the end of the engine waits for a browser that is just starting. */
const startingMs = 500;

/** What a call does with its page. `leftMs`: what is left of its time. */
type TabAct<T> = (page: Page, leftMs: number, guard: HostGuard) => Promise<Result<T>>;

/** A browser of one project. Starts with the first call that needs a page, ends with `dispose`. */
export function createBrowser(deps: BrowserDeps): Browser {
  const { limitMs = 30_000 } = deps;
  let opening: Promise<Result<Tabs>> | undefined;
  let isClosed = false;
  let lastId = 0;

  const open = async (): Promise<Result<Tabs>> => {
    const tabs = await openTabs(deps, {
      nextId: () => {
        lastId += 1;
        return lastId;
      },
      onClosed: () => {
        opening = undefined; // it ended by itself or crashed: the next call starts another one
      },
    });
    if (!isClosed || !tabs.ok) return tabs;
    await tabs.value.launched.close();
    return fail('CANCELLED', 'The browser was closed.');
  };
  const opened = async (): Promise<Result<Tabs>> => {
    if (isClosed) return fail('UNAVAILABLE', 'The browser was closed with the engine.');
    opening ??= open();
    const tabs = await opening;
    if (!tabs.ok) opening = undefined; // it may be installed meanwhile
    return tabs;
  };

  const onTab = <T>(
    { tabId, signal }: TabRequest,
    act: TabAct<T>,
    leavesPage = false,
  ): Promise<Result<T & { readonly tabId: number }>> =>
    withLimit(
      async () => {
        const started = performance.now();
        const tabs = await opened();
        if (!tabs.ok) return tabs;
        const leftMs = () => limitMs - (performance.now() - started);
        return actOnTab(tabs.value, tabId, leavesPage, (page) => act(page, leftMs(), tabs.value.guard));
      },
      limitMs,
      signal,
    );

  return {
    async status() {
      return statusOf(findBrowser(deps.environment()), await opening);
    },
    async tabs() {
      if (opening === undefined && findBrowser(deps.environment()).kind !== 'none') return ok([]);
      const tabs = await (opening ?? opened());
      return tabs.ok ? ok(await tabFacts(tabs.value)) : tabs;
    },
    navigate: (url, request) =>
      onTab(
        request,
        async (page, leftMs, guard) => {
          guard.approve(url);
          guard.lastRefused();
          const done = await navigate(page, url, leftMs);
          const refused = done.ok ? undefined : guard.lastRefused();
          return refused ? notShown(refused) : done;
        },
        true,
      ),
    readPage: (request) => onTab(request, readPage),
    screenshot: (what, request) => onTab(request, (page) => takeScreenshot(page, what)),
    click: (target, request) =>
      onTab(request, (page) =>
        'selector' in target ? clickOn(page, target.selector) : clickAt(page, target.x, target.y),
      ),
    type: (text, request) => onTab(request, (page) => typeText(page, text)),
    find: (query, request) => onTab(request, (page) => findElements(page, query)),
    scroll: (direction, pixels, request) => onTab(request, (page) => scrollPage(page, direction, pixels)),
    html: (request) => onTab(request, pageHtml),
    markdown: (request) => onTab(request, pageMarkdown),
    async closeTab(request) {
      const tabs = await opening;
      if (!tabs?.ok || tabs.value.ids.size === 0) return ok({ closed: false, tabs: 0 });
      const close = async (page: Page) => {
        await page.close();
        return ok({});
      };
      const done = await onTab(request, close, true);
      const left = [...tabs.value.ids.keys()].filter((page) => !page.isClosed());
      return done.ok ? ok({ closed: true, tabs: left.length }) : done;
    },
    async dispose() {
      isClosed = true;
      const last = opening;
      opening = undefined;
      // One that is only starting is closed when it has started; nobody waits for that.
      const tabs = await Promise.race([last, delay(startingMs, undefined, { ref: false })]);
      if (tabs?.ok) await tabs.value.launched.close();
    },
  };
}

/** Acts on the tab with this id; without one on the active tab, or on a new one where there is none. */
async function actOnTab<T>(
  tabs: Tabs,
  tabId: number | undefined,
  leavesPage: boolean,
  act: (page: Page) => Promise<Result<T>>,
): Promise<Result<T & { readonly tabId: number }>> {
  const { ids, launched, guard } = tabs;
  const chosen = tabId === undefined ? tabs.active : [...ids].find(([, id]) => id === tabId)?.[0];
  if (tabId !== undefined && !chosen)
    return fail('TAB_NOT_FOUND', `There is no tab ${tabId}. The tabs are: ${[...ids.values()].join(', ') || 'none'}`);
  const page = chosen ?? (await launched.context.newPage());
  tabs.active = page;
  const id = ids.get(page) ?? 0;
  try {
    await guard.watch(page);
    const hidden = leavesPage ? undefined : guard.hides(page);
    if (hidden) return notShown(hidden);
    const done = await act(page);
    const led = (await guard.ended(page)) ?? (page.isClosed() ? undefined : guard.hides(page));
    if (led) return notShown(led);
    return done.ok ? ok({ ...done.value, tabId: id }) : done;
  } catch (error) {
    const ended = await guard.ended(page);
    if (ended) return notShown(ended);
    if (page.isClosed()) return fail('TAB_NOT_FOUND', `The tab ${id} was closed meanwhile.`);
    throw error;
  }
}

function notShown({ host, why }: Refused): Result<never> {
  return fail('PERMISSION_DENIED', `The page leads to ${host}: ${why}. Nothing of it is shown.`, { host });
}

function statusOf(place: BrowserPlace, tabs: Result<Tabs> | undefined): BrowserStatus {
  const backend = place.kind === 'program' ? place.path : place.kind === 'running' ? place.address : 'none';
  if (tabs?.ok) {
    const { ids, active } = tabs.value;
    const activeTabId = active === undefined ? undefined : ids.get(active);
    const known = activeTabId === undefined ? {} : { activeTabId };
    return { connected: true, backend, tabs: ids.size, ...known, message: 'The browser is running.' };
  }
  const message =
    place.kind === 'none' ? `There is no browser. ${remedy}` : 'The browser starts with the first page that is opened.';
  return { connected: false, backend, tabs: 0, message };
}

/** Of a page that the rules hide, only that it is there. */
function tabFacts({ ids, active, guard }: Tabs): Promise<readonly Tab[]> {
  return Promise.all(
    [...ids].map(async ([page, id]) => {
      const isActive = page === active;
      const hidden = guard.hides(page);
      if (hidden) return { id, url: '', title: `Not shown: ${hidden.why}`, active: isActive };
      return { id, url: page.url(), title: await titleOf(page), active: isActive };
    }),
  );
}

/** A page that is busy with itself does not say its title: it is left out rather than waited for. */
async function titleOf(page: Page): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, titleMs, '');
  page.title().then(resolve, () => resolve(''));
  const title = await promise;
  clearTimeout(timer);
  return title;
}
