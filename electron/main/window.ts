import { join } from 'node:path';
import { BrowserWindow, dialog, session, shell } from 'electron';
import { appOrigin } from './appScheme.ts';
import { openOutside } from './outsideLink.ts';
import { isGranted } from './permissions.ts';

/** One workbench window with every door shut that it does not need (S1, S2). */
export function openWindow(outFolder: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 700,
    show: false,
    backgroundColor: '#16181d',
    webPreferences: {
      preload: join(outFolder, 'preload', 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  window.webContents.setWindowOpenHandler(({ url }) => {
    void follow(window, url);
    return { action: 'deny' };
  });
  window.webContents.on('will-navigate', (event) => {
    if (!event.url.startsWith(`${appOrigin}/`)) event.preventDefault();
  });
  void window.loadURL(`${appOrigin}/`);
  return window;
}

export function limitPermissions(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl, appOrigin)),
  );
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin, appOrigin));
}

/** Asks with the whole address before the system's browser gets it. */
function follow(window: BrowserWindow, url: string): Promise<void> {
  return openOutside(url, {
    async ask(address) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address outside of Vise?',
        detail: address,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      });
      return response === 0;
    },
    open: (address) => shell.openExternal(address),
  });
}
