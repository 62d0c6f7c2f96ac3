import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './harness/chromiumLaunch.ts';

const report = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: 'results',
  globalSetup: './temporaryFolder.config.ts',
  // One after the other: a test starts a server, a browser and commands, and two cores are few.
  workers: 1,
  fullyParallel: false,
  // What passes only then is named at the end of `npm test`.
  retries: 2,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 300_000,
  // Compared pictures: other versions of Chromium smooth letters a little otherwise, which is within the threshold (of the
  // greatest difference that the eye sees) or a few hundred pixels; a button that has gone or has moved is more.
  // What is tried again and again without a limit of its own outlives the time of its test.
  expect: {
    timeout: 45_000,
    toPass: { timeout: 120_000 },
    toHaveScreenshot: { threshold: 0.2, maxDiffPixels: 400 },
  },
  // Letters are drawn otherwise on each system.
  snapshotPathTemplate: '{testDir}/pictures/{arg}-{platform}{ext}',
  // A missing picture fails (pictures.spec.ts) until it is made by `--update-snapshots`.
  updateSnapshots: 'none',
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    // A click that finds nothing fails in time to be told, also in tests that may take long.
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: chromiumLaunch(),
  },
});
