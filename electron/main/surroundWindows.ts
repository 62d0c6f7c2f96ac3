import { isAbsolute, join, relative, sep } from 'node:path';
import { app, BrowserWindow, dialog, Menu, Notification, shell } from 'electron';
import type { PageMessage } from '../../shared/contract/desktopMessage.ts';
import type { ProjectInfo } from '../../shared/model/workbench.ts';
import type { Log } from '../engine/base/log.ts';
import { showContextMenus } from './contextMenu.ts';
import { speak, words } from './desktopWords.ts';
import type { EngineHost } from './engineHost.ts';
import { installCommand } from './installCommand.ts';
import type { KeptStateFile } from './keptState.ts';
import { menuTemplate, type PageMenus } from './menuTemplate.ts';
import { showPresence } from './presence.ts';
import { checkForUpdates } from './updates.ts';
import type { Windows } from './windows.ts';

export interface Surroundings {
  readonly windows: Windows;
  readonly kept: KeptStateFile;
  readonly host: EngineHost;
  readonly userData: string;
  /** Where `bin/` and `icons/` lie. */
  readonly resources: string;
  readonly log: Log;
}

/** Does what a page asks of the desktop around it. */
export type TakeMessage = (window: BrowserWindow, message: PageMessage) => void;

/** What a desktop user expects around the window; it is loaded after the first paint, and nothing waits for it. */
export function surroundWindows(surroundings: Surroundings): TakeMessage {
  const { windows, host, kept, resources } = surroundings;
  // The language is followed before what speaks it: both hear of the settings in this order.
  let redraw = (): void => undefined;
  let worn = kept.now.theme;
  let projects: readonly ProjectInfo[] = [];
  const ofSystem = app.getPreferredSystemLanguages();
  host.follow(({ settings: { language, theme }, projects: known }) => {
    projects = known;
    if (theme !== worn) windows.wear(theme);
    worn = theme;
    const hasChanged = speak(language, ofSystem);
    if (kept.now.language !== language) kept.change({ language });
    if (hasChanged) redraw();
  });
  const menu = menuBar(surroundings);
  redraw = menu.draw;
  app.setAboutPanelOptions({
    applicationName: 'Vise',
    applicationVersion: app.getVersion(),
    copyright: words().copyright,
  });
  for (const window of BrowserWindow.getAllWindows()) showContextMenus(window.webContents);
  app.on('browser-window-created', (_event, window) => showContextMenus(window.webContents));
  showPresence(host, windows, join(resources, 'icons'));
  for (const problem of host.problems) void tell(undefined, problem);
  return (window, message) => {
    switch (message.kind) {
      case 'chooseFolder':
        return void chooseFolder(window).then((path) => windows.send(window, { kind: 'folder', id: message.id, path }));
      case 'menu':
        return menu.take(window, message.menus);
      case 'reveal':
        return reveal(message, projects);
      case 'notify':
        return notify(message, windows);
      case 'ready':
    }
  };
}

/** One menu bar for the window in front; each page tells its own commands. */
function menuBar({ windows, kept, userData, resources }: Surroundings): {
  readonly draw: () => void;
  readonly take: (window: BrowserWindow, menus: PageMenus) => void;
} {
  const menusOf = new WeakMap<BrowserWindow, PageMenus>();
  const front = (): BrowserWindow | undefined => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  const draw = (): void => {
    const window = front();
    const template = menuTemplate(
      (window && menusOf.get(window)) ?? [],
      {
        isMac: process.platform === 'darwin',
        crashReports: kept.now.crashReports,
        channel: kept.now.updateChannel,
      },
      {
        command: (id) => void windows.show({ kind: 'command', id }),
        newWindow: () => void windows.open(),
        checkForUpdates: () => void checkForUpdates(windows.show(), kept.now.updateChannel, () => app.quit()),
        installCommand: () => {
          const name = process.platform === 'win32' ? 'vise.cmd' : 'vise';
          const command = join(resources, 'bin', name);
          void tell(front(), installCommand({ platform: process.platform, env: process.env, command }));
        },
        keepCrashReports(keep) {
          kept.change({ crashReports: keep });
          draw();
          void tell(front(), words().reports[keep ? 'kept' : 'notKept']);
        },
        showCrashReports: () => void shell.openPath(join(userData, 'crashes')),
        chooseChannel: (updateChannel) => {
          kept.change({ updateChannel });
          draw();
        },
      },
    );
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  draw();
  app.on('browser-window-focus', draw);
  return {
    draw,
    take(window, menus) {
      menusOf.set(window, menus);
      if (front() === window) draw();
    },
  };
}

async function tell(window: BrowserWindow | undefined, message: string): Promise<void> {
  const options = { type: 'info' as const, message, buttons: [words().ok], noLink: true };
  await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
}

/** A click on the notice brings the window to the question. While any window is looked at, nothing needs to be said. */
function notify(
  { title, body, project, session }: Extract<PageMessage, { readonly kind: 'notify' }>,
  windows: Windows,
): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
  const notice = new Notification({ title, body });
  notice.on('click', () => void windows.show({ kind: 'show', project, session }));
  notice.show();
}

/** Shows what lies in a project that is known, and nothing else: a path of a network alone would already send a login. */
function reveal(
  { project, path }: Extract<PageMessage, { readonly kind: 'reveal' }>,
  projects: readonly ProjectInfo[],
): void {
  if (!projects.some((one) => one.path === project)) return;
  const whole = join(project, path);
  const within = relative(project, whole);
  if (within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within)) shell.showItemInFolder(whole);
}

const choosing = new WeakSet<BrowserWindow>();

/** One dialog a window at a time: whoever asks again meanwhile has chosen nothing. */
async function chooseFolder(window: BrowserWindow): Promise<string | null> {
  if (choosing.has(window)) return null;
  choosing.add(window);
  const { canceled, filePaths } = await dialog
    .showOpenDialog(window, {
      properties: ['openDirectory', 'createDirectory'],
    })
    .finally(() => choosing.delete(window));
  return canceled ? null : (filePaths[0] ?? null);
}
