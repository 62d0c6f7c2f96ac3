import { mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { canonicalHost } from '../base/hostMatches.ts';
import { markOf, type ProcessMark, rowOf } from '../base/processMark.ts';
import { signalGroup } from '../base/signals.ts';
import { childEnvironment } from '../exec/childEnvironment.ts';
import type { BrowserPlace, Environment } from './findBrowser.ts';

export interface Launched {
  readonly context: BrowserContext;
  /** It was started here and shows nobody else's pages. */
  readonly isOurs: boolean;
  /** Ends a browser of ours; leaves one that ran already. */
  close(): Promise<void>;
}

export interface LaunchParts {
  readonly environment: Environment;
  readonly secrets: readonly string[];
  /** Folder for profiles; made here. */
  readonly folder: string;
  /** Hosts that are forbidden when it starts; their names are not even resolved. */
  readonly denied: readonly string[];
}

const launchMs = 20_000;

/** Nothing is asked of the network but what a page asks for (Playwright switches most of it off by itself). */
const quiet = [
  '--no-first-run',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
];

/** Starts the program with a profile of its own, or joins the running browser. Throws what Playwright throws. */
export async function launch(
  place: Exclude<BrowserPlace, { kind: 'none' }>,
  { environment, secrets, folder, denied }: LaunchParts,
): Promise<Launched> {
  const { chromium } = await import('playwright-core');
  if (place.kind === 'running') {
    const browser = await chromium.connectOverCDP(place.address, { timeout: launchMs });
    const context = browser.contexts()[0] ?? (await browser.newContext());
    return { context, isOurs: false, close: () => browser.close() };
  }
  const env = childEnvironment(environment, {
    extraPaths: [],
    workspace: '',
    home: '',
    allow: [],
    secrets,
    additions: {},
  });
  const start = (profile: string): Promise<BrowserContext> =>
    chromium.launchPersistentContext(profile, {
      executablePath: place.path,
      headless: true,
      args: [...quiet, ...unresolved(denied)],
      // A worker of an earlier visit would answer for a page without a request.
      serviceWorkers: 'block',
      // Chromium refuses its sandbox to root.
      chromiumSandbox: process.getuid?.() !== 0,
      acceptDownloads: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: launchMs,
      viewport: { width: 1280, height: 800 },
      env,
    });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const profile = join(folder, 'profile');
    const context = await start(profile);
    return { context, isOurs: true, close: () => closeOrKill(context, profile) };
  } catch (error) {
    if (!/ProcessSingleton|SingletonLock|already in use/i.test(String(error))) throw error;
    // Another Vise has the profile: this one gets one for the while.
    const profile = mkdtempSync(join(folder, 'extra-'));
    const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    try {
      const context = await start(profile);
      return { context, isOurs: true, close: () => closeOrKill(context, profile).finally(remove) };
    } catch (second) {
      remove();
      throw second;
    }
  }
}

/** A browser whose pages are busy may take long to close, or for ever. */
const closeMs = 800;

async function closeOrKill(context: BrowserContext, profile: string): Promise<void> {
  // Read first: on its way out it takes the lock away before it has written its last.
  const browser = processOf(profile);
  const closed = context.close().then(
    () => true,
    () => true,
  );
  if (await Promise.race([closed, delay(closeMs, false)])) return;
  // With its group go the processes of pages and of the network, which still write.
  if (browser === undefined || !signalGroup(browser, 'SIGKILL')) return; // it has ended meanwhile
  await Promise.race([closed, delay(closeMs)]);
  // What it would have taken away by itself: the folder of its socket.
  const folder = dirname(linkOf(join(profile, 'SingletonSocket')) ?? '');
  if (basename(folder).startsWith('org.chromium.')) rmSync(folder, { recursive: true, force: true });
}

/**
 * Chromium names itself in the lock of its profile: a link to `host-pid` (POSIX). The profile is this process's own and the browser
 * its child: a lock that a browser before it left names none.
 */
function processOf(profile: string): ProcessMark | undefined {
  const pid = Number(/-(\d+)$/.exec(linkOf(join(profile, 'SingletonLock')) ?? '')?.[1]);
  const isOurs = process.platform !== 'linux' || rowOf(pid)?.parent === process.pid;
  return pid > 1 && isOurs ? markOf(pid) : undefined;
}

function linkOf(name: string): string | undefined {
  try {
    return readlinkSync(name);
  } catch {
    return undefined;
  }
}

/** A rule of Chromium's resolver for each name; it knows the same `*`. */
function unresolved(denied: readonly string[]): readonly string[] {
  const names = denied.map(canonicalPattern).filter((name) => /^[\w.*-]+$/.test(name));
  return names.length === 0 ? [] : [`--host-resolver-rules=${names.map((name) => `MAP ${name} ~NOTFOUND`).join(', ')}`];
}

function canonicalPattern(pattern: string): string {
  const below = /^\*\.(.+)$/.exec(pattern)?.[1];
  if (pattern === '*') return pattern;
  return below === undefined ? canonicalHost(pattern) : `*.${canonicalHost(below)}`;
}
