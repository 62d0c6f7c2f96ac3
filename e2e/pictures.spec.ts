import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { fakeAnswers } from '../renderer/testing/fakeAnswers.ts';
import { createFakeHost, type FakeHost } from '../renderer/testing/fakeHost.ts';
import { playApproval, playDone, playLanes } from '../renderer/testing/moreScenes.ts';
import { project, sceneClock, workbench } from '../renderer/testing/sceneParts.ts';
import { playReview } from '../renderer/testing/scenes.ts';
import { openScene } from './harness/scenePage.ts';
import { expect, test } from './harness/test.ts';
import { showTheme, themes } from './harness/themes.ts';

const nowMs = Date.parse('2026-11-20T14:02:20Z');
sceneClock.nowMs = () => nowMs;

/** All pictures together, in bytes: everybody who gets the project gets them. */
const mostBytes = 2_000_000;
const again = 'npm run build && npx playwright test -c e2e/playwright.config.ts pictures.spec --update-snapshots';

interface Picture {
  readonly name: string;
  readonly session?: string;
  readonly projects?: readonly [];
  readonly layout?: object;
  readonly size?: { readonly width: number; readonly height: number };
  /** Goes to the state, and gives the part of the window that is compared; all of it without one. */
  readonly show: (page: Page) => Promise<Locator | undefined>;
}

const seen = async (part: Locator): Promise<Locator> => {
  await expect(part.first()).toBeVisible();
  return part;
};
const rightPanel = (page: Page, name: RegExp): Locator => page.getByRole('tabpanel', { name });

const pictures: readonly Picture[] = [
  {
    name: 'empty',
    projects: [],
    async show(page) {
      await seen(page.getByRole('button', { name: /Try the sample project/ }));
      return undefined;
    },
  },
  {
    name: 'conversation',
    session: 's-review',
    layout: { rightSide: 'hidden', showConsole: false },
    size: { width: 1280, height: 1040 },
    async show(page) {
      await seen(page.getByRole('log').getByText('will:'));
      return page.getByRole('main');
    },
  },
  {
    name: 'review',
    session: 's-review',
    layout: { showConsole: false },
    size: { width: 1280, height: 1000 },
    async show(page) {
      await seen(page.locator('.diff-line .word-keyword'));
      return rightPanel(page, /^Review/);
    },
  },
  {
    name: 'approval',
    session: 's-approval',
    layout: { rightSide: 'hidden', showConsole: false },
    async show(page) {
      await seen(page.getByRole('region', { name: /^Approval: / }).nth(1));
      return page.getByRole('main');
    },
  },
  {
    name: 'console',
    session: 's-review',
    async show(page) {
      const console = page.getByRole('region', { name: 'Console' });
      await console.getByRole('tab', { name: /npm run dev/ }).click();
      await seen(console.getByText('ready in'));
      await page.mouse.move(0, 0);
      return console;
    },
  },
  {
    name: 'settings',
    session: 's-done',
    async show(page) {
      await seen(page.getByRole('textbox', { name: 'Message' }));
      await page.keyboard.press('Control+,');
      await seen(page.getByRole('dialog').getByText('What slugline narrows'));
      return page.getByRole('dialog');
    },
  },
  {
    name: 'git',
    session: 's-done',
    layout: { right: 'git', rightSide: 'shown' },
    async show(page) {
      await seen(page.getByText('notes.md'));
      await page.getByRole('region', { name: 'Changed' }).getByRole('button', { expanded: false }).click();
      await seen(page.getByText('const out = words.join'));
      return rightPanel(page, /^Git/);
    },
  },
  {
    name: 'lanes',
    session: 's-done',
    async show(page) {
      await seen(page.getByText('vise/typed-api'));
      return page.getByRole('complementary').first();
    },
  },
  {
    name: 'narrow',
    session: 's-review',
    size: { width: 1024, height: 700 },
    async show(page) {
      await seen(page.locator('.diff-line .word-keyword'));
      return undefined;
    },
  },
];

/** The window in the middle of work: a session that waits for review, one that asks, one that ended, two in lanes. */
function hostOf({ projects }: Picture): FakeHost {
  const known = { ...workbench, settings: { ...workbench.settings, theme: 'system' as const } };
  const host: FakeHost = createFakeHost(
    projects ? { ...known, projects } : known,
    fakeAnswers(() => host),
  );
  if (projects) return host;
  playLanes(host);
  playDone(host, 's-done');
  playApproval(host, 's-approval');
  playReview(host, 's-review');
  return host;
}

// Without a trace, which pictures the page at every step: what differs is attached.
test.use({ timezoneId: 'UTC', deviceScaleFactor: 1, viewport: { width: 1280, height: 800 }, trace: 'off' });

for (const picture of pictures)
  test(`the window looks as it did in three themes: ${picture.name}`, async ({ page }, info) => {
    if (picture.size) await page.setViewportSize(picture.size);
    const shown = { project: picture.projects ? null : project, session: picture.session ?? null };
    await openScene(page, hostOf(picture), nowMs, { 'vise.shown': shown, 'vise.layout': picture.layout ?? {} });
    const part = await picture.show(page);
    // A card that has just come cannot be answered for half a second.
    for (const button of await page.getByRole('button', { name: /^(Once|Apply all|Reject all.*)$/ }).all())
      await expect(button).toBeEnabled();
    for (const theme of themes) {
      const name = `${picture.name}-${theme}.png`;
      const path = info.snapshotPath(name, { kind: 'screenshot' });
      if (info.config.updateSnapshots === 'none' && !existsSync(path))
        throw new Error(`There is no picture ${path} to compare with. Make it, and look at it: ${again}`);
      await showTheme(page, theme);
      await expect.soft(part ?? page).toHaveScreenshot(name);
    }
  });

test('the pictures are of these states, and small', ({}, info) => {
  const folder = join(info.snapshotPath('any.png', { kind: 'screenshot' }), '..');
  const files = readdirSync(folder);
  const named = pictures.flatMap(({ name }) => themes.map((theme) => `${name}-${theme}-${process.platform}.png`));
  expect(files.filter((file) => file.endsWith(`-${process.platform}.png`)).sort()).toEqual(named.sort());
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(mostBytes);
});
