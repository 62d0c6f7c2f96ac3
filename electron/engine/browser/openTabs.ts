import type { BrowserContext, Dialog, Page } from 'playwright-core';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { HostRules } from '../base/hostRules.ts';
import { describeError } from '../base/log.ts';
import type { Sandbox } from '../workspace/sandbox.ts';
import { fileInside } from './checkUrl.ts';
import { type Environment, findBrowser, remedy } from './findBrowser.ts';
import { createForeignNames, type Resolve } from './foreignNames.ts';
import { guardHosts, type HostGuard } from './hostGuard.ts';
import { type Launched, launch } from './launch.ts';

/** What a browser is started with. */
export interface LaunchDeps {
  readonly environment: () => Environment;
  readonly secrets: () => readonly string[];
  /** For the browser's profile. */
  readonly folder: string;
  /** Files that pages may show. */
  readonly sandbox: Sandbox;
  /** What rules say of hosts. */
  readonly hosts: HostRules;
  /** What names lead to; the system's answer unless told. */
  readonly resolve?: Resolve;
}

/** A running browser and its tabs, in the order in which they were opened. */
export interface Tabs {
  readonly launched: Launched;
  readonly guard: HostGuard;
  readonly ids: Map<Page, number>;
  active: Page | undefined;
}

/**
 * Starts a browser whose pages reach only what `deps` allow. `nextId` numbers its tabs; `onClosed` is called when it ends, by
 * itself too. UNAVAILABLE: there is none, or it does not start.
 */
export async function openTabs(
  deps: LaunchDeps,
  { nextId, onClosed }: { readonly nextId: () => number; readonly onClosed: () => void },
): Promise<Result<Tabs>> {
  const place = findBrowser(deps.environment());
  if (place.kind === 'none') return fail('UNAVAILABLE', `There is no browser. ${remedy}`);
  let launched: Launched;
  try {
    launched = await launch(place, {
      environment: deps.environment(),
      secrets: deps.secrets(),
      folder: deps.folder,
      denied: deps.hosts.denied(),
    });
  } catch (error) {
    const why = describeError(error).split('\n', 1)[0] ?? '';
    return fail('UNAVAILABLE', `The browser could not be started (${why}). ${remedy}`);
  }
  const guard = await guardHosts(launched, deps.hosts, createForeignNames(deps.resolve));
  const tabs: Tabs = { launched, guard, ids: new Map(), active: undefined };
  const { context } = launched;
  await guardFiles(context, deps.sandbox);
  const refuse = refuseTabs();
  const adopt = (page: Page): void => {
    if (launched.isOurs && tabs.ids.size >= maxTabs) void refuse(page);
    else adoptTab(tabs, page, nextId());
  };
  if (launched.isOurs) context.on('dialog', dismissDialogs());
  for (const page of context.pages()) adopt(page);
  context.on('page', adopt);
  context.on('close', onClosed);
  return ok(tabs);
}

/** Nobody looks at more, and a page may open them without end. */
const maxTabs = 30;
/** A page that goes on after so many windows or dialogs does nothing else: its tab ends. */
const maxTries = 20;

function refuseTabs(): (page: Page) => Promise<void> {
  const tries = new Map<Page, number>();
  return async (page) => {
    const opener = await page.opener().catch(() => null);
    await page.close().catch(() => undefined);
    if (!opener) return;
    const count = (tries.get(opener) ?? 0) + 1;
    tries.set(opener, count);
    if (count === maxTries) await opener.close().catch(() => undefined);
  };
}

function dismissDialogs(): (dialog: Dialog) => void {
  const seen = new WeakMap<Page, number>();
  return (dialog) => {
    const page = dialog.page();
    const count = page ? (seen.get(page) ?? 0) + 1 : 0;
    if (page) seen.set(page, count);
    // As without a listener: a page may not keep itself from being left.
    const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
    void answered.catch(() => undefined);
    if (count === maxTries) void page?.close().catch(() => undefined);
  };
}

function adoptTab(tabs: Tabs, page: Page, id: number): void {
  tabs.ids.set(page, id);
  tabs.active = page;
  page.on('close', () => {
    tabs.ids.delete(page);
    if (tabs.active === page) tabs.active = [...tabs.ids.keys()].at(-1);
  });
  // A page that crashed answers no more, not even to a new address: its tab ends.
  page.on('crash', () => void page.close().catch(() => undefined));
}

/** A page from a file may lead to others; those outside the project are not shown. */
async function guardFiles(context: BrowserContext, sandbox: Sandbox): Promise<void> {
  await context.route(/^file:/i, async (route) => {
    const url = URL.parse(route.request().url());
    const allowed = url ? await fileInside(url, sandbox) : undefined;
    await (allowed === undefined ? route.abort('accessdenied') : route.continue());
  });
}
