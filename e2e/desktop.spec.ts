import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { configure } from './harness/configure.ts';
import { answerDialogs, desktopKind, dialogsOf } from './harness/desktop.ts';
import { clickMenu, openSample, sampleButton, tree } from './harness/desktopSteps.ts';
import { test } from './harness/desktopTest.ts';
import { productRoot } from './harness/folders.ts';
import { shootDesktop } from './harness/shoot.ts';
import { expect } from './harness/test.ts';
import { until } from './harness/until.ts';
import { applyButton, commandCard, composerOf, pressUntilGone } from './harness/window.ts';

console.log(`The desktop suite runs on ${desktopKind}.`);

const screenOf = (page: Page) =>
  page.getByRole('region', { name: 'Console' }).getByRole('group', { name: /^Terminal: .*(bash|sh)$/ });

/** Types a command into the shell on show, and waits until it has run. */
async function typeCommand(page: Page, home: string): Promise<void> {
  const made = join(home, 'typed');
  rmSync(made, { force: true });
  await screenOf(page).getByRole('textbox').focus();
  await page.keyboard.type(`echo $((40 + 2)) > '${made}'\n`);
  await until('what the shell writes', () => existsSync(made) && readFileSync(made, 'utf8') === '42\n');
}

/** A shell of the person's own, which is a task that runs. */
async function openShell(page: Page, home: string): Promise<void> {
  await page.keyboard.press('Alt+t');
  await expect(screenOf(page)).toBeVisible();
  await typeCommand(page, home);
}

test('the sample in the window: reviewed, applied, built in the background; quitting asks what becomes of the build', async ({
  home,
  start,
}) => {
  const desktop = await start();
  const page = await openSample(desktop);
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await shootDesktop(page);
  await pressUntilGone(applyButton(page), applyButton(page));
  await pressUntilGone(commandCard(page).getByRole('button', { name: 'Once', exact: true }), commandCard(page));
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console.getByRole('tab', { name: /npm test/ })).toBeVisible();
  await openShell(page, home);

  const cancel = 2;
  await answerDialogs(desktop, { button: cancel });
  await desktop.evaluate(({ app }) => app.quit());
  await until('the question', async () => (await dialogsOf(desktop)).length > 0);
  expect((await dialogsOf(desktop))[0]).toMatch(/^2 tasks are running\..*Cancel$/s);
  await expect(console.getByRole('tab', { name: /npm test/ })).toBeVisible();

  const stop = 0;
  await answerDialogs(desktop, { button: stop });
  await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await desktop.exited).toBe(0);
});

test('a task that is kept running at the end is found again by the next start', async ({ home, start }) => {
  const first = await start();
  await openShell(await openSample(first), home);
  const keep = 1;
  await answerDialogs(first, { button: keep });
  await first.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await first.exited).toBe(0);

  const second = await start();
  const page = await second.page();
  await page
    .getByRole('region', { name: 'Console' })
    .getByRole('tab', { name: /bash|sh/ })
    .click();
  await typeCommand(page, home);
  await answerDialogs(second, { button: 0 });
  await second.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await second.exited).toBe(0);
});

test('a folder is opened by a drop, by a second start, by a link that asks first, and a reload keeps it', async ({
  home,
  makeProject,
  start,
}) => {
  const [dropped, given, linked] = ['dropped', 'given', 'linked'].map((name) => makeProject({ [`${name}.txt`]: '' }));
  const desktop = await start();
  const page = await desktop.page();
  await expect(sampleButton(page)).toBeVisible();
  await desktop.drop(page, String(dropped));
  await expect(tree(page).getByText('dropped.txt')).toBeVisible();

  // The second instance hands its folder over and ends; it opens no window and no engine.
  const second = await start({ words: [String(given)] });
  expect(await second.exited).toBe(0);
  await expect(tree(page).getByText('given.txt')).toBeVisible();

  await answerDialogs(desktop, { button: 1 });
  const link = `vise://open?folder=${encodeURIComponent(String(linked))}`;
  expect(await (await start({ words: [link] })).exited).toBe(0);
  await until('the question', async () => (await dialogsOf(desktop)).length === 1);
  expect((await dialogsOf(desktop))[0]).toContain(`A link asks Vise to open this folder. | ${linked}`);
  await answerDialogs(desktop, { button: 0 });
  await start({ words: [link] });
  await expect(tree(page).getByText('linked.txt')).toBeVisible();

  await page.reload();
  await expect(tree(page).getByText('linked.txt')).toBeVisible();
  await openShell(page, home);

  // A link that is dropped on the window is a navigation that is prevented: the page and its connection stay.
  await page.evaluate(() => window.location.assign('https://example.org/'));
  await typeCommand(page, home);
  // Facts still reach the page: calls alone would be answered through any connection.
  const tasks = (count: number) => page.getByRole('button', { name: new RegExp(`^Tasks, ${count} running`) });
  await expect(tasks(1)).toBeVisible();
  await page.getByRole('region', { name: 'Console' }).getByRole('button', { name: 'New shell' }).click();
  await expect(tasks(2)).toBeVisible();
});

test('a page that crashes is loaded again and has lost nothing', async ({ start, makeProject }) => {
  const desktop = await start({ words: [makeProject({ 'kept.txt': '' })] });
  const page = await desktop.page();
  await expect(tree(page).getByText('kept.txt')).toBeVisible();
  await desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  // The test's own view of a crashed page is gone for good: the app is asked.
  await until('the page to be there again', () =>
    desktop.evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined || window.webContents.isCrashed()) return false;
      const text: unknown = await window.webContents.executeJavaScript('document.body.innerText').catch(() => '');
      return typeof text === 'string' && text.includes('kept.txt');
    }),
  );
});

test('a logout is not vetoed, and asks nothing', async ({ home, start }) => {
  const desktop = await start();
  await openShell(await openSample(desktop), home);
  await answerDialogs(desktop, { button: 2 });
  const vetoed = await desktop.evaluate(({ app, powerMonitor }) => {
    powerMonitor.emit('shutdown');
    let prevented = false;
    app.emit('before-quit', { preventDefault: () => (prevented = true) });
    return prevented;
  });
  expect({ vetoed, asked: await dialogsOf(desktop) }).toEqual({ vetoed: false, asked: [] });
});

test('a signal to end is heard while a task runs: nothing is asked, and nothing is left', async ({ home, start }) => {
  test.skip(process.platform === 'win32', 'Windows sends none');
  const desktop = await start();
  await openShell(await openSample(desktop), home);
  process.kill(desktop.pid, 'SIGTERM');
  expect(await desktop.exited).toBe(0);
});

test('the menu bar has the commands of the page; a second window and the theme work', async ({ start }) => {
  const desktop = await start();
  const page = await openSample(desktop);
  const paletteOf = page.getByRole('dialog').first();
  await until('the menus of the page', () => clickMenu(desktop, 'View', 'Search commands'));
  await expect(paletteOf).toBeVisible();
  await page.keyboard.press('Escape');

  for (const [label, theme] of [
    ['Theme: light', 'light'],
    ['Theme: dark', 'dark'],
  ] as const) {
    expect(await clickMenu(desktop, 'View', label)).toBe(true);
    await expect(page.locator('html')).toHaveClass(theme);
    await until('the theme of the system parts', () =>
      desktop.evaluate(({ nativeTheme }, wanted) => nativeTheme.themeSource === wanted, theme),
    );
  }

  expect(await clickMenu(desktop, 'File', 'New window')).toBe(true);
  const second = await until('a second page', async () => (await desktop.pages()).find((one) => one !== page));
  await expect(tree(second).getByText('package.json')).toBeVisible();

  // What does not fit the contract of a page is dropped, and harms nothing.
  await page.evaluate(() => window.bridge?.tellDesktop({ kind: 'menu', menus: 'all' }));
  expect(await page.evaluate(() => typeof Reflect.get(window, 'require'))).toBe('undefined');
  await answerDialogs(desktop);
  expect(await clickMenu(desktop, 'Help', 'Check for updates…')).toBe(true);
  await until('the answer', async () =>
    (await dialogsOf(desktop))[0]?.startsWith('Updates are off. | This build is not signed'),
  );
});

test('in Chinese the menus, the tray and the dialogs around the window are Chinese, and change with the setting', async ({
  home,
  start,
}) => {
  configure(home, { settings: { language: 'zh-CN' } });
  const desktop = await start();
  const page = await desktop.page();
  await answerDialogs(desktop);
  await until('the menus', () => clickMenu(desktop, '帮助', '检查更新…'));
  await until('the answer', async () => (await dialogsOf(desktop))[0]?.startsWith('更新已关闭。 | '));
  const tray = (): Promise<string> =>
    desktop.evaluate(() =>
      String((globalThis as unknown as { trays?: readonly { toolTip: string }[] }).trays?.[0]?.toolTip),
    );
  expect(await tray()).toBe('Vise: 没有任务在运行，也没有审批在等待');
  expect(await start({ words: ['vise://run'] }).then(({ exited }) => exited)).toBe(0);
  await until('the refusal', async () => (await dialogsOf(desktop)).at(-1)?.startsWith('无法打开。 | Vise 不认识链接'));

  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: '通用' }).click();
  await page.getByLabel('语言').selectOption('en');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Theme').selectOption('light');
  await expect(page.locator('html')).toHaveClass('light');
  const sandbox = dialog.getByRole('checkbox', { name: 'Run commands in the system sandbox' });
  await sandbox.click();
  await expect(sandbox).toBeChecked();
  await until('the menus in English', () => clickMenu(desktop, 'Help', 'Check for updates…'));
  expect(await tray()).toBe('Vise: nothing runs, nothing waits');
});

test('S1 nothing but the app is reachable from its page: no address, no frame, no window, no permission', async ({
  start,
}) => {
  const desktop = await start();
  const page = await desktop.page();
  await expect(sampleButton(page)).toBeVisible();
  const seen = await page.evaluate(async () => {
    const statusOf = async (path: string): Promise<number> => (await fetch(path)).status;
    const blocked = (promise: Promise<unknown>): Promise<boolean> =>
      promise.then(
        () => false,
        () => true,
      );
    return {
      missing: await Promise.all(['/none', '/%2e%2e/main/main.js', '/%zz', '/..%2f..%2fpackage.json'].map(statusOf)),
      found: await statusOf('/'),
      outside: await blocked(fetch('https://example.org/')),
      location: await navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
      csp: (await fetch('/')).headers.get('content-security-policy')?.includes("default-src 'none'"),
    };
  });
  expect(seen).toMatchObject({ missing: [404, 404, 404, 404], found: 200, outside: true, csp: true });
  expect(seen.location).not.toBe('granted');

  // No frame, window or navigation comes of what the page tries; it stays what it was.
  const address = page.url();
  await page.evaluate(() => {
    const outside = 'https://example.org/';
    for (const name of ['iframe', 'webview', 'object'])
      document.body.append(Object.assign(document.createElement(name), { src: outside, data: outside }));
    window.open(outside);
    location.href = outside;
  });
  await expect.poll(async () => (await desktop.pages()).length).toBe(1);
  await expect(sampleButton(page)).toBeVisible();
  expect(page.url()).toBe(address);
  expect(await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(page.frames().filter((frame) => frame.url().includes('example.org'))).toEqual([]);
});

/** The files that an ES module and all that it imports at once are made of, without their hashes. */
function loadedAtOnce(entry: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const text = readFileSync(join(productRoot, 'out', 'main', entry), 'utf8');
  for (const [, next = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) loadedAtOnce(next, seen);
  return seen;
}

test('before its first paint the main process has loaded the entry and two small pieces, and neither engine nor schemas', () => {
  const files = [...loadedAtOnce('main.js')];
  const names = files.map((name) => name.replace(/-[\w-]{8}\.js$/, '.js')).toSorted();
  expect(names).toEqual(['log.js', 'main.js', 'processMark.js']);
  const sizeBytes = files.reduce((sum, name) => sum + statSync(join(productRoot, 'out', 'main', name)).size, 0);
  expect(sizeBytes).toBeLessThan(40_000);
});

test('a state folder that cannot be made is told in words with the remedy, and nothing is started', async ({
  makeProject,
  start,
}) => {
  const project = makeProject({ file: '' });
  const desktop = await start({ env: { VISE_HOME: join(project, 'file', 'home') } });
  expect(await desktop.exited).toBe(1);
  expect(desktop.stderr()).toContain('Vise cannot keep its state');
  expect(desktop.stderr()).toContain('VISE_HOME');
});
