import type { BrowserContext, Page } from 'playwright-core';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { HostRules } from '../base/hostRules.ts';
import { describeError } from '../base/log.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import type { Browser, TabFacts, TabRequest } from './browser.ts';
import { fileInside } from './checkUrl.ts';
import { type Environment, findBrowser, remedy } from './findBrowser.ts';
import { guardHosts, type HostGuard, type Refused } from './hostGuard.ts';
import { type Launched, launch } from './launch.ts';
import { clickAt, clickOn, findElements, navigate, readPage, takeScreenshot, typeText } from './onPage.ts';
import { pageHtml, pageMarkdown, scrollPage } from './pageText.ts';
import { withLimit } from './withLimit.ts';

export interface BrowserParts {
  readonly environment: () => Environment;
  readonly secrets: () => readonly string[];
  /** For the browser's profile. */
  readonly folder: string;
  /** Files that pages may show. */
  readonly sandbox: Sandbox;
  /** What rules say of hosts. */
  readonly hosts: HostRules;
  /** For one call, ms; 30 s unless told. */
  readonly limitMs?: number;
}

interface Tabs {
  readonly launched: Launched;
  readonly guard: HostGuard;
  readonly ids: Map<Page, number>;
  active: Page | undefined;
}

/** A browser of one project. Starts with the first call that needs a page, ends with `dispose`. */
export function createBrowser(parts: BrowserParts): Browser {
  const { limitMs = 30_000 } = parts;
  let opening: Promise<Result<Tabs>> | undefined;
  let isClosed = false;
  let nextId = 1;

  const open = async (): Promise<Result<Tabs>> => {
    const place = findBrowser(parts.environment());
    if (place.kind === 'none') return fail('UNAVAILABLE', `There is no browser. ${remedy}`);
    let launched: Launched;
    try {
      launched = await launch(place, {
        environment: parts.environment(),
        secrets: parts.secrets(),
        folder: parts.folder,
        denied: parts.hosts.denied(),
      });
    } catch (error) {
      const why = describeError(error).split('\n', 1)[0] ?? '';
      return fail('UNAVAILABLE', `The browser could not be started (${why}). ${remedy}`);
    }
    const guard = await guardHosts(launched, parts.hosts);
    const tabs: Tabs = { launched, guard, ids: new Map(), active: undefined };
    const adopt = (page: Page): void => {
      tabs.ids.set(page, nextId);
      nextId += 1;
      tabs.active = page;
      page.on('close', () => {
        tabs.ids.delete(page);
        if (tabs.active === page) tabs.active = [...tabs.ids.keys()].at(-1);
      });
      // A page that crashed answers no more, not even to a new address: its tab ends.
      page.on('crash', () => void page.close().catch(() => undefined));
    };
    const { context } = launched;
    await guardFiles(context, parts.sandbox);
    for (const page of context.pages()) adopt(page);
    context.on('page', adopt);
    context.on('close', () => {
      opening = undefined; // it ended by itself or crashed: the next call starts another one
    });
    if (isClosed) {
      await launched.close();
      return fail('CANCELLED', 'The browser was closed.');
    }
    return ok(tabs);
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
    act: (page: Page, leftMs: number, guard: HostGuard) => Promise<Result<T>>,
    leavesPage = false,
  ): Promise<Result<T & { readonly tabId: number }>> =>
    withLimit(
      async () => {
        const started = performance.now();
        const tabs = await opened();
        if (!tabs.ok) return tabs;
        const { ids, launched, guard } = tabs.value;
        const chosen = tabId === undefined ? tabs.value.active : [...ids].find(([, id]) => id === tabId)?.[0];
        if (tabId !== undefined && !chosen)
          return fail(
            'TAB_NOT_FOUND',
            `There is no tab ${tabId}. The tabs are: ${[...ids.values()].join(', ') || 'none'}`,
          );
        const page = chosen ?? (await launched.context.newPage());
        tabs.value.active = page;
        const id = ids.get(page) ?? 0;
        try {
          await guard.watch(page);
          const hidden = leavesPage ? undefined : guard.hides(page);
          if (hidden) return notShown(hidden);
          const done = await act(page, limitMs - (performance.now() - started), guard);
          const led = page.isClosed() ? undefined : guard.hides(page);
          if (led) return notShown(led);
          return done.ok ? ok({ ...done.value, tabId: id }) : done;
        } catch (error) {
          if (page.isClosed()) return fail('TAB_NOT_FOUND', `The tab ${id} was closed meanwhile.`);
          throw error;
        }
      },
      limitMs,
      signal,
    );

  return {
    async status() {
      const place = findBrowser(parts.environment());
      const backend = place.kind === 'program' ? place.path : place.kind === 'running' ? place.address : 'none';
      const tabs = opening === undefined ? undefined : await opening;
      if (tabs?.ok) {
        const { ids, active } = tabs.value;
        const activeTabId = active === undefined ? undefined : ids.get(active);
        const known = activeTabId === undefined ? {} : { activeTabId };
        return { connected: true, backend, tabs: ids.size, ...known, message: 'The browser is running.' };
      }
      const message =
        place.kind === 'none'
          ? `There is no browser. ${remedy}`
          : 'The browser starts with the first page that is opened.';
      return { connected: false, backend, tabs: 0, message };
    },
    async tabs() {
      if (opening === undefined)
        return findBrowser(parts.environment()).kind === 'none' ? opened().then(noTabs) : ok([]);
      const tabs = await opening;
      if (!tabs.ok) return tabs;
      const { ids, active, guard } = tabs.value;
      const facts: TabFacts[] = [];
      for (const [page, id] of ids) {
        const hidden = guard.hides(page);
        if (hidden) {
          facts.push({ id, url: '', title: `Not shown: ${hidden.why}`, active: page === active });
          continue;
        }
        const title = await page.title().catch(() => '');
        facts.push({ id, url: page.url(), title, active: page === active });
      }
      return ok(facts);
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
      const tabs = opening === undefined ? undefined : await opening;
      if (!tabs?.ok || tabs.value.ids.size === 0) return ok({ closed: false, tabs: 0 });
      const done = await onTab(
        request,
        async (page) => {
          await page.close();
          return ok({});
        },
        true,
      );
      const left = [...tabs.value.ids.keys()].filter((page) => !page.isClosed());
      return done.ok ? ok({ closed: true, tabs: left.length }) : done;
    },
    async dispose() {
      isClosed = true;
      const last = opening;
      opening = undefined;
      const tabs = await last;
      if (tabs?.ok) await tabs.value.launched.close();
    },
  };
}

function notShown({ host, why }: Refused): Result<never> {
  return fail('PERMISSION_DENIED', `The page leads to ${host}: ${why}. Nothing of it is shown.`, { host });
}

function noTabs(tabs: Result<Tabs>): Result<readonly TabFacts[]> {
  return tabs.ok ? ok([]) : tabs;
}

/** A page from a file may lead to others; those outside the project are not shown. */
async function guardFiles(context: BrowserContext, sandbox: Sandbox): Promise<void> {
  await context.route(/^file:/i, async (route) => {
    const url = URL.parse(route.request().url());
    const allowed = url ? await fileInside(url, sandbox) : undefined;
    await (allowed === undefined ? route.abort('accessdenied') : route.continue());
  });
}
