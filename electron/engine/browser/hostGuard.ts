import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { canonicalHost } from '../base/hostMatches.ts';
import type { HostRules } from '../base/hostRules.ts';
import type { Launched } from './launch.ts';

/** An address that a page was led to and that was not asked for. */
export interface Refused {
  readonly host: string;
  readonly why: string;
}

/** Keeps pages from the hosts that rules forbid: every hop of a redirect is judged before it is requested. */
export interface HostGuard {
  /** The gate let this address through: a rule that asks about its host was answered. */
  approve(url: string): void;
  /** Why nothing of this page may be shown. */
  hides(page: Page): Refused | undefined;
  /** Before the first act on a page, in a browser that runs for others too. */
  watch(page: Page): Promise<void>;
  /** The last page that was refused, once. */
  lastRefused(): Refused | undefined;
}

/**
 * Playwright's routes do not see the later hops of a redirect, so requests are stopped by the protocol itself: of our own
 * browser for all its pages, frames and workers at once; of one that ran already only for the pages that are used.
 */
export async function guardHosts({ context, isOurs }: Launched, rules: HostRules): Promise<HostGuard> {
  const approved = new Set<string>();
  const watched = new WeakSet<Page>();
  let last: Refused | undefined;
  const judge = (address: string): Refused | undefined => {
    const url = URL.parse(address.replace(/^blob:/, ''));
    if (!url || !/^(?:https?|wss?|ftp):$/.test(url.protocol)) return undefined;
    const why = rules.forbidden(url.hostname, approved.has(canonicalHost(url.hostname)));
    return why === undefined ? undefined : { host: url.hostname, why };
  };
  const stop = async (session: CDPSession): Promise<void> => {
    session.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
      const refused = judge(request.url);
      if (refused && resourceType === 'Document') last = refused;
      const done = refused
        ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        : session.send('Fetch.continueRequest', { requestId });
      done.catch(() => undefined); // the page was closed meanwhile
    });
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  };
  const browser = context.browser();
  if (isOurs && browser) {
    await stop(await browser.newBrowserCDPSession());
    await guardSockets(context, judge);
  }
  return {
    approve(address) {
      const url = URL.parse(address);
      if (url) approved.add(canonicalHost(url.hostname));
    },
    hides(page) {
      for (const frame of page.frames()) {
        const refused = judge(frame.url());
        if (refused) return refused;
      }
      return undefined;
    },
    async watch(page) {
      if (isOurs || watched.has(page)) return;
      watched.add(page);
      await stop(await context.newCDPSession(page));
    },
    lastRefused() {
      const refused = last;
      last = undefined;
      return refused;
    },
  };
}

/** WebSockets are no requests to the protocol; those of workers are kept back by the flag of `launch` alone. */
async function guardSockets(context: BrowserContext, judge: (url: string) => Refused | undefined): Promise<void> {
  await context.routeWebSocket(
    (url) => judge(url.href) !== undefined,
    (socket) => void socket.close({ code: 1008, reason: 'forbidden by a rule' }),
  );
}
