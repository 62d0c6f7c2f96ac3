import type { LaunchOptions } from '@playwright/test';

/**
 * How tests start the browser: the one in `VISE_CHROMIUM` (else Playwright's own), quiet about the world outside. As
 * root Chromium refuses to start with its sandbox, and Playwright leaves it off by default.
 */
export function chromiumLaunch(): LaunchOptions {
  const executablePath = process.env['VISE_CHROMIUM'];
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  };
}
