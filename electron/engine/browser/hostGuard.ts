import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page, Response } from 'playwright-core';
import { canonicalHost } from '../base/hostMatches.ts';
import type { HostRules } from '../base/hostRules.ts';
import type { ForeignNames } from './foreignNames.ts';
import type { Launched } from './launch.ts';

/** Where an answer came from is known when it comes; waited for no longer than this. */
const lookMs = 1_000;

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
  /** Why this page is closed: what it was given came from this machine under a name of others. */
  ended(page: Page): Promise<Refused | undefined>;
  /** Before the first act on a page, in a browser that runs for others too. */
  watch(page: Page): Promise<void>;
  /** The last page that was refused, once. */
  lastRefused(): Refused | undefined;
}

/**
 * Playwright's routes do not see the later hops of a redirect, so requests are stopped by the protocol itself: of our own
 * browser for all its pages, frames and workers at once; of one that ran already only for the pages that are used.
 */
export async function guardHosts(
  { context, isOurs }: Launched,
  rules: HostRules,
  names: ForeignNames,
): Promise<HostGuard> {
  const approved = new Set<string>();
  const watched = new WeakSet<Page>();
  let last: Refused | undefined;
  const hostOf = (address: string): URL | undefined => {
    const url = URL.parse(address.replace(/^blob:/, ''));
    return url && /^(?:https?|wss?|ftp):$/.test(url.protocol) ? url : undefined;
  };
  const judge = (address: string): Refused | undefined => {
    const url = hostOf(address);
    if (!url) return undefined;
    const why = rules.forbidden(url.hostname, approved.has(canonicalHost(url.hostname)));
    return why === undefined ? undefined : { host: url.hostname, why };
  };
  const leadsHere = async (address: string): Promise<Refused | undefined> => {
    const url = hostOf(address);
    const why = url && (await names.before(url.hostname));
    return why === undefined || !url ? undefined : { host: url.hostname, why };
  };
  const ended = new WeakMap<Page, Refused>();
  const endIfHere = async (response: Response): Promise<void> => {
    const url = hostOf(response.url());
    const from = await response.serverAddr();
    // What comes through a proxy comes from the proxy's port.
    if (!url || !from || from.port !== portOf(url)) return;
    const why = names.after(url.hostname, from.ipAddress);
    const page = response.frame().page();
    if (why === undefined || !(isOurs || watched.has(page))) return;
    ended.set(page, { host: url.hostname, why });
    void page.close().catch(() => undefined);
  };
  const looking = new Set<Promise<void>>();
  context.on('response', (response) => {
    const look = endIfHere(response)
      .catch(() => undefined) // its page was closed meanwhile
      .finally(() => looking.delete(look));
    looking.add(look);
  });
  const stop = async (session: CDPSession): Promise<void> => {
    session.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
      const answer = async (): Promise<void> => {
        const refused = judge(request.url) ?? (await leadsHere(request.url));
        if (refused && resourceType === 'Document') last = refused;
        await (refused
          ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : session.send('Fetch.continueRequest', { requestId }));
      };
      answer().catch(() => undefined); // the page was closed meanwhile
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
    async ended(page) {
      await Promise.race([Promise.all(looking), delay(lookMs, undefined, { ref: false })]);
      return ended.get(page);
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

const portOf = ({ protocol, port }: URL): number => Number(port || (/^(?:https|wss):$/.test(protocol) ? 443 : 80));

/** WebSockets are no requests to the protocol; those of workers are kept back by the flag of `launch` alone. */
async function guardSockets(context: BrowserContext, judge: (url: string) => Refused | undefined): Promise<void> {
  await context.routeWebSocket(
    (url) => judge(url.href) !== undefined,
    (socket) => void socket.close({ code: 1008, reason: 'forbidden by a rule' }),
  );
}
