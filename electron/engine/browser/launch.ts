import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { childEnvironment } from '../exec/childEnvironment.ts';
import type { BrowserPlace, Environment } from './findBrowser.ts';

export interface Launched {
  readonly context: BrowserContext;
  /** Ends a browser of ours; leaves one that ran already. */
  close(): Promise<void>;
}

export interface LaunchParts {
  readonly environment: Environment;
  readonly secrets: readonly string[];
  /** Folder for profiles; made here. */
  readonly folder: string;
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
  { environment, secrets, folder }: LaunchParts,
): Promise<Launched> {
  const { chromium } = await import('playwright-core');
  if (place.kind === 'running') {
    const browser = await chromium.connectOverCDP(place.address, { timeout: launchMs });
    const context = browser.contexts()[0] ?? (await browser.newContext());
    return { context, close: () => browser.close() };
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
      args: quiet,
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
    const context = await start(join(folder, 'profile'));
    return { context, close: () => context.close() };
  } catch (error) {
    if (!/ProcessSingleton|SingletonLock|already in use/i.test(String(error))) throw error;
    // Another Vise has the profile: this one gets one for the while.
    const profile = mkdtempSync(join(folder, 'extra-'));
    const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    try {
      const context = await start(profile);
      return { context, close: () => context.close().finally(remove) };
    } catch (second) {
      remove();
      throw second;
    }
  }
}
