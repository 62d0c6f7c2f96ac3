import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallDebian, installDebian, mayInstall } from './debian.mjs';
import { findProgram, root, run, say } from './project.mjs';

const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'microsoft-edge'];

const macPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

function windowsPlaces() {
  return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name];
    if (!folder) return [];
    return [
      join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ];
  });
}

/** @returns {Promise<string | undefined>} a Chromium of the system that starts */
async function findSystemChromium() {
  if (process.platform === 'darwin') return macPlaces.find((path) => existsSync(path));
  if (process.platform === 'win32') return windowsPlaces().find((path) => existsSync(path));
  for (const name of names) {
    const path = findProgram(name);
    // A name alone proves nothing: Ubuntu's chromium-browser only says that a snap is to be installed.
    if (path && (await run(path, ['--version'], { quiet: true, timeLimitMs: 20_000 })).code === 0) return path;
  }
  return undefined;
}

/** @returns {Promise<string | undefined>} the browser that Playwright has downloaded, if it has */
async function findPlaywrightChromium() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

/** Chromium, and letters for all that the tests write: without them there are boxes. */
const debianNames = ['chromium', 'fonts-liberation', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];

/**
 * A Chromium for end-to-end tests: `VISE_CHROMIUM`, else the system's, else Playwright's, else one that can be installed.
 * @returns {Promise<string | undefined>}
 */
export async function ensureChromium() {
  const given = process.env['VISE_CHROMIUM'];
  if (given) return given;
  const found = (await findSystemChromium()) ?? (await findPlaywrightChromium());
  if (found) return found;
  if (!mayInstall()) {
    say('No Chrome or Chromium found, and VISE_NO_INSTALL forbids fetching one: name one with VISE_CHROMIUM=PATH.');
    return undefined;
  }

  say('No Chrome or Chromium found: playwright install chromium   (VISE_NO_INSTALL=1 forbids it)');
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' };
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  await run(process.execPath, [cli, 'install', 'chromium'], { quiet: true, env, timeLimitMs: 5 * 60_000 });
  const fetched = await findPlaywrightChromium();
  if (fetched) return fetched;

  if (canInstallDebian() && (await installDebian(debianNames))) return findSystemChromium();
  return undefined;
}
