import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { answerDialogs, type Desktop, desktopKind, dialogsOf } from './harness/desktop.ts';
import { clickMenu, openSample, sampleButton, tree } from './harness/desktopSteps.ts';
import { test } from './harness/desktopTest.ts';
import { expect } from './harness/test.ts';
import { until } from './harness/until.ts';
import { applyButton, changeSetCard, composerOf } from './harness/window.ts';

// What the desktop shows and offers around the page: tray, badge, notices, menus, and what it does when the page hangs.

/** What the test reads of what the stand-in notes. */
interface Noted {
  readonly trays: readonly { readonly toolTip: string; readonly menu: Electron.Menu }[];
  readonly notices: readonly { emit(name: string): void }[];
  readonly poppedUp: Electron.Menu;
  readonly aboutPanel?: { readonly applicationName: string; readonly applicationVersion: string };
}

/** Tray, badge and whether the computer is kept awake. */
function presenceOf(desktop: Desktop): Promise<object> {
  return desktop.evaluate(({ app, powerSaveBlocker }) => {
    const [tray] = (globalThis as unknown as Noted).trays;
    return {
      tray: tray?.menu.items.map(({ label }) => label).filter(Boolean),
      badge: app.getBadgeCount(),
      awake: [0, 1, 2, 3, 4, 5].some((id) => powerSaveBlocker.isStarted(id)),
    };
  });
}

test('a file is shown in the file manager from its menu; a window has one folder dialog at a time', async ({
  makeProject,
  start,
}) => {
  const project = makeProject({ 'lib/a.txt': '' });
  const desktop = await start();
  const page = await desktop.page();
  await expect(sampleButton(page)).toBeVisible();
  await desktop.evaluate(({ dialog, shell }) => {
    const asked: ((answer: Electron.OpenDialogReturnValue) => void)[] = [];
    const shown: string[] = [];
    Object.assign(globalThis, { asked, shown });
    dialog.showOpenDialog = () => new Promise((resolve) => asked.push(resolve));
    shell.showItemInFolder = (path) => void shown.push(path);
  });
  const asked = () =>
    desktop.evaluate(() => (globalThis as unknown as { readonly asked: readonly unknown[] }).asked.length);
  await expect.poll(() => clickMenu(desktop, 'File', 'Open a folder')).toBe(true);
  await expect.poll(asked).toBe(1);
  expect(await clickMenu(desktop, 'File', 'Open a folder')).toBe(true);
  // What is pressed after it is heard after it.
  expect(await clickMenu(desktop, 'Help', 'Keyboard shortcuts')).toBe(true);
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await asked()).toBe(1);
  await page.keyboard.press('Escape');
  await desktop.evaluate((_electron, path) => {
    const { asked: waiting } = globalThis as unknown as {
      readonly asked: readonly ((answer: Electron.OpenDialogReturnValue) => void)[];
    };
    waiting[0]?.({ canceled: false, filePaths: [path] });
  }, project);
  await tree(page).getByText('lib').click();
  await tree(page).getByText('a.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show in the file manager' }).click();
  const shown = () => desktop.evaluate(() => (globalThis as unknown as { readonly shown: readonly string[] }).shown);
  await expect.poll(shown).toEqual([join(project, 'lib', 'a.txt')]);
});

test('what runs and what waits is told by tray, badge and a notice; each leads to the question itself', async ({
  home,
  start,
}) => {
  test.skip(desktopKind !== 'the stand-in', 'a tray and a notice of a real system are looked at by a person');
  const desktop = await start();
  const page = await openSample(desktop);
  await expect.poll(() => presenceOf(desktop)).toMatchObject({ badge: 0, awake: false });
  await composerOf(page).fill('Make the failing test pass');
  await composerOf(page).press('Enter');
  await expect(applyButton(page)).toContainText('Apply 7 hunks');
  await page.keyboard.press('Alt+t');
  await expect
    .poll(() => presenceOf(desktop))
    .toEqual({
      tray: ['1 task runs, 1 question waits', 'Question: Make the failing test pass', 'Show Vise', 'Quit Vise'],
      badge: 1,
      awake: true,
    });

  const question = changeSetCard(page);
  const leave = async (): Promise<void> => {
    // By the menu: keys in a shell are the shell's.
    expect(await clickMenu(desktop, 'Session', 'New session')).toBe(true);
    await expect(question).toBeHidden({ timeout: 10_000 });
  };
  await leave();
  await desktop.evaluate(() => {
    const items = (globalThis as unknown as Noted).trays[0]?.menu.items ?? [];
    items.find((item) => item.label === 'Question: Make the failing test pass')?.click();
  });
  await expect(question).toBeVisible();

  // A notice is shown only while nobody looks.
  await leave();
  const journals = globSync('sessions/*/journal.jsonl', { cwd: join(home, 'vise', 'state') });
  const texts = journals.map((path) => [path, readFileSync(join(home, 'vise', 'state', path), 'utf8')] as const);
  const [path, text] = texts.find(([, one]) => one.includes('Make the failing test pass')) ?? ['', ''];
  const session = basename(dirname(path));
  const project = /"project":"([^"]+)"/.exec(text)?.[1] ?? '';
  await desktop.evaluate(({ BrowserWindow, Notification }) => {
    const notices: object[] = [];
    Object.assign(globalThis, { notices });
    Notification.prototype.show = function show(this: object) {
      notices.push(this);
    };
    for (const window of BrowserWindow.getAllWindows()) window.blur();
  });
  await page.evaluate((told) => window.bridge?.tellDesktop(told), {
    kind: 'notify',
    title: 'Question',
    body: 'waits',
    project,
    session,
  } as const);
  const clickNotice = (): Promise<boolean> =>
    desktop.evaluate(({ BrowserWindow }) => {
      const [notice] = (globalThis as unknown as Noted).notices;
      notice?.emit('click');
      return notice !== undefined && BrowserWindow.getFocusedWindow() !== null;
    });
  await until('the notice and its click', clickNotice);
  await expect(question).toBeVisible();

  // The shell ends: a question that waits keeps no computer awake.
  const shell = page.getByRole('region', { name: 'Console' }).getByRole('group', { name: /^Terminal: .*(bash|sh)$/ });
  await shell.getByRole('textbox').focus();
  await page.keyboard.type('exit\n');
  await expect.poll(() => presenceOf(desktop)).toMatchObject({ badge: 1, awake: false });
});

test('the right click edits and spells; zoom, full screen, about and crash reports do what they say', async ({
  home,
  makeProject,
  start,
}) => {
  test.skip(desktopKind !== 'the stand-in', 'what Electron itself does for its roles is looked at by a person');
  const project = makeProject({ 'a.txt': '' });
  const desktop = await start({ words: [project] });
  const page = await desktop.page();
  const composer = composerOf(page);
  await composer.fill('mispelled');
  await expect(composer).toHaveValue('mispelled');
  await expect(composer).toBeFocused();
  const chooseByRightClick = (label: string, misspelledWord = ''): Promise<readonly string[]> =>
    desktop.evaluate(
      ({ BrowserWindow }, [chosen, word]) => {
        const can = { canUndo: true, canRedo: false, canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
        const asked = { editFlags: can, isEditable: true, selectionText: '' };
        const of = { misspelledWord: word, dictionarySuggestions: word === '' ? [] : ['misspelled'] };
        BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, { ...asked, ...of });
        const { items } = (globalThis as unknown as Noted).poppedUp;
        items.find((item) => item.label === chosen && item.enabled !== false)?.click();
        return items.map((item) => item.label).filter(Boolean);
      },
      [label, misspelledWord] as const,
    );
  const edits = ['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all'];
  expect(await chooseByRightClick('Select all')).toEqual(edits);
  expect(await chooseByRightClick('misspelled', 'mispelled')).toEqual(['misspelled', ...edits]);
  await expect(composer).toHaveValue('misspelled');
  await chooseByRightClick('Select all');
  await chooseByRightClick('Cut');
  await expect(composer).toHaveValue('');
  await chooseByRightClick('Paste');
  await expect(composer).toHaveValue('misspelled');

  await until('the menus of the page', () => clickMenu(desktop, 'View', 'Zoom in'));
  expect(await clickMenu(desktop, 'View', 'Full screen')).toBe(true);
  expect(await clickMenu(desktop, 'Help', 'About Vise')).toBe(true);
  const seen = (): Promise<object> =>
    desktop.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const { aboutPanel } = globalThis as unknown as Noted;
      return { zoom: window?.webContents.getZoomLevel(), full: window?.isFullScreen(), about: aboutPanel };
    });
  const about = {
    applicationName: 'Vise',
    applicationVersion: '0.1.0',
    copyright: 'Copyright © 2026 the Vise authors',
  };
  expect(await seen()).toEqual({ zoom: 0.5, full: true, about });
  await clickMenu(desktop, 'View', 'Actual size');
  await clickMenu(desktop, 'View', 'Full screen');
  expect(await seen()).toEqual({ zoom: 0, full: false, about });

  // High contrast of the system is followed while it runs, and left again.
  const contrast = (isHigh: boolean): Promise<void> =>
    desktop.evaluate(({ nativeTheme }, on) => {
      (nativeTheme as unknown as { setSystemContrast(isHigh: boolean): void }).setSystemContrast(on);
    }, isHigh);
  const strip = (): Promise<object | undefined> =>
    desktop.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows() as unknown as readonly { readonly overlay?: object }[];
      return window?.overlay;
    });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await contrast(true);
  await expect(page.locator('html')).toHaveClass('dark contrast');
  expect(await strip()).toEqual({ color: '#000000', symbolColor: '#ffffff', height: 40 });
  await composer.fill('');
  await expect(send).toBeDisabled();
  await expect(send).toHaveCSS('opacity', '1');
  await expect(send).toHaveCSS('color', 'rgb(184, 184, 184)');
  await contrast(false);
  await expect(page.locator('html')).toHaveClass('dark');
  expect(await strip()).toEqual({ color: '#101114', symbolColor: '#e3e5e8', height: 40 });

  const crashes = join(home, 'vise', 'state', 'desktop', 'crashes');
  expect(existsSync(crashes)).toBe(false);
  await answerDialogs(desktop);
  expect(await clickMenu(desktop, 'Help', 'Keep crash reports on this computer')).toBe(true);
  await until('the answer', async () => (await dialogsOf(desktop)).length === 1);
  expect((await dialogsOf(desktop))[0]).toContain('Crash reports are kept from the next start on.');
  await desktop.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await desktop.exited).toBe(0);
  const next = await start({ words: [project] });
  expect(await next.evaluate(({ app }) => app.getPath('crashDumps'))).toBe(crashes);
  expect(existsSync(crashes)).toBe(true);
});

test('a page that hangs is told, loaded again on a yes, and what was typed is still there', async ({
  makeProject,
  start,
}) => {
  const desktop = await start({ words: [makeProject({ 'kept.txt': '' })] });
  const page = await desktop.page();
  await composerOf(page).fill('what I wanted');
  await expect(page.getByRole('tree', { name: 'Files' }).getByText('kept.txt')).toBeVisible();
  const load = 1;
  await answerDialogs(desktop, { button: load });
  // It never comes back from this by itself.
  void page
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'));
  await until('the question', async () => (await dialogsOf(desktop)).length === 1);
  expect((await dialogsOf(desktop))[0]).toMatch(/^The window does not answer\. \| .* \| Load it again$/);
  await until('the page with what was typed', () =>
    desktop.evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined || window.webContents.isCrashed()) return false;
      const typed = 'document.querySelector("textarea[aria-label=Message]")?.value + document.body.innerText';
      const text: unknown = await window.webContents.executeJavaScript(typed).catch(() => '');
      return typeof text === 'string' && text.startsWith('what I wanted') && text.includes('kept.txt');
    }),
  );
});
