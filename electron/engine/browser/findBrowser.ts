import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable } from '../exec/findExecutable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a browser is to be had: one that runs already, or a program to start. */
export type BrowserPlace =
  | { readonly kind: 'running'; readonly address: string }
  | { readonly kind: 'program'; readonly path: string }
  | { readonly kind: 'none' };

export const remedy =
  'Install Chrome, Chromium or Edge, or name one: VISE_CHROMIUM=/path/to/chrome (setting browser.program), or VISE_BROWSER_URL=http://127.0.0.1:9222 (browser.address) for one that runs with --remote-debugging-port=9222.';

/** What the settings name, as if the environment did; what it really says wins. */
export function browserEnvironment(
  env: Environment,
  { program, address }: { readonly program: string; readonly address: string },
): Environment {
  return {
    ...(program === '' ? {} : { VISE_CHROMIUM: program }),
    // A program that the environment names is meant, whatever address the settings have.
    ...(address === '' || env['VISE_CHROMIUM'] ? {} : { VISE_BROWSER_URL: address }),
    ...env,
  };
}

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
];

const macPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/** `VISE_BROWSER_URL`, else `VISE_CHROMIUM`, else an installed browser. Starts nothing. */
export function findBrowser(env: Environment, platform: NodeJS.Platform = process.platform): BrowserPlace {
  const address = env['VISE_BROWSER_URL'];
  if (address) return { kind: 'running', address };
  const given = env['VISE_CHROMIUM'];
  if (given) return existsSync(given) ? { kind: 'program', path: given } : { kind: 'none' };
  const path = places(env, platform).find((place) => existsSync(place));
  return path === undefined ? { kind: 'none' } : { kind: 'program', path };
}

function places(env: Environment, platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return macPlaces;
  if (platform === 'win32') {
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
      const folder = env[name];
      if (!folder) return [];
      return [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ];
    });
  }
  const path = { PATH: env['PATH'] ?? '' };
  return names.flatMap((name) => {
    const found = findExecutable(name, { cwd: '/', env: path, platform });
    return found.ok ? [found.value] : [];
  });
}
