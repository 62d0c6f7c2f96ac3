import { join } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, nativeTheme, screen } from 'electron';
import type { Connection } from '../../shared/contract/connection.ts';
import type { DesktopMessage } from '../../shared/contract/desktopMessage.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { words } from './desktopWords.ts';
import { ipcConnection } from './ipcConnection.ts';
import type { KeptStateFile } from './keptState.ts';
import { appOrigin } from './permissions.ts';
import { titleStripOf } from './titleStrip.ts';
import { placeWindow, smallest } from './windowBounds.ts';

/** A page that crashes again so soon would crash for ever: the person decides then. */
const crashPauseMs = 30_000;

/** The header is 40 px high; the system's buttons are drawn into it. */
const headerHeight = 40;

export interface WindowsOptions {
  readonly outFolder: string;
  readonly kept: KeptStateFile;
  readonly maxFrameChars: number;
  /** A page was loaded: it is answered through this connection until it is left. */
  readonly connect: (connection: Connection) => void;
  /** Whether this window may close now; the last one takes the app along where that is usual. */
  readonly mayClose: (window: BrowserWindow) => boolean;
}

/** The windows of the app. All look at one engine; each shows what it likes of it. */
export interface Windows {
  open(first?: DesktopMessage): BrowserWindow;
  /** Brings a window forward (the one used last), or opens one, and tells it something. */
  show(message?: DesktopMessage): BrowserWindow;
  send(window: BrowserWindow, message: DesktopMessage): void;
  /** Its page listens now. */
  ready(window: BrowserWindow): void;
  /** The theme of the settings becomes that of the windows' frames, and of the system's menus and dialogs. */
  wear(theme: Settings['theme']): void;
}

export function createWindows(options: WindowsOptions): Windows {
  const { kept } = options;
  /** What a page is to be told once it listens; of a page that listens, nothing. */
  const untold = new WeakMap<BrowserWindow, DesktopMessage[]>();
  let lastUsed: BrowserWindow | undefined;
  const dress = (): void => {
    const strip = titleStripOf(kept.now.theme, nativeTheme);
    for (const window of BrowserWindow.getAllWindows()) {
      window.setBackgroundColor(strip.color);
      if (process.platform !== 'darwin') window.setTitleBarOverlay({ ...strip, height: headerHeight });
    }
  };
  const wear = (theme: Settings['theme']): void => {
    if (theme !== kept.now.theme) kept.change({ theme });
    nativeTheme.themeSource = theme === 'contrast' ? 'dark' : theme;
    dress(); // from dark to high contrast nothing changes for the system, and it tells nothing
  };
  nativeTheme.on('updated', dress);
  wear(kept.now.theme);

  const open = (first?: DesktopMessage): BrowserWindow => {
    const window = createWindow(options);
    untold.set(window, first === undefined ? [] : [first]);
    lastUsed = window;
    keepPage(window, options);
    window.webContents.on('did-navigate', () => void (untold.has(window) || untold.set(window, [])));
    window.on('focus', () => {
      lastUsed = window;
    });
    window.on('close', (event) => {
      if (!options.mayClose(window)) return event.preventDefault();
      kept.change({
        window: {
          bounds: window.getNormalBounds(),
          maximized: window.isMaximized(),
          fullScreen: window.isFullScreen(),
        },
      });
    });
    window.on('closed', () => {
      if (lastUsed === window) lastUsed = undefined;
    });
    // Last: listeners must be there before the navigation begins, which is before this returns.
    void window.loadURL(`${appOrigin}/`).catch(() => undefined);
    return window;
  };
  const send = (window: BrowserWindow, message: DesktopMessage): void => {
    const waiting = untold.get(window);
    if (waiting === undefined) window.webContents.send('desktop', message);
    else waiting.push(message);
  };
  return {
    open,
    send,
    wear,
    ready(window) {
      const waiting = untold.get(window) ?? [];
      untold.delete(window);
      for (const message of waiting) window.webContents.send('desktop', message);
    },
    show(message) {
      const window = lastUsed ?? BrowserWindow.getAllWindows()[0];
      if (window === undefined) return open(message);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (message !== undefined) send(window, message);
      return window;
    },
  };
}

/** One workbench window with every door shut that it does not need (S1). */
function createWindow({ outFolder, kept }: WindowsOptions): BrowserWindow {
  const { window: last } = kept.now;
  const others = BrowserWindow.getAllWindows();
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const place = placeWindow(
    last?.bounds,
    areas,
    others.map((other) => other.getBounds()),
  );
  const strip = titleStripOf(kept.now.theme, nativeTheme);
  const window = new BrowserWindow({
    ...place,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Vise',
    backgroundColor: strip.color,
    titleBarStyle: process.platform === 'darwin' ? 'hiddenInset' : 'hidden',
    titleBarOverlay: { ...strip, height: headerHeight },
    ...(process.platform === 'linux' ? { icon: join(outFolder, 'renderer', 'icon.png') } : {}),
    webPreferences: {
      preload: join(outFolder, 'preload', 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // Elsewhere the words come from a server at the first word that is typed.
      spellcheck: process.platform === 'darwin',
    },
  });
  window.once('ready-to-show', () => {
    if (last?.maximized === true && others.length === 0) window.maximize();
    window.show();
    if (last?.fullScreen === true && others.length === 0) window.setFullScreen(true);
  });
  return window;
}

/** Keeps the page of a window alive and its connection its own. */
function keepPage(window: BrowserWindow, { connect, maxFrameChars }: WindowsOptions): void {
  const { webContents } = window;
  let connection: Connection | undefined;
  let crashedAt = Number.NEGATIVE_INFINITY;
  const leave = (why: string): void => {
    const left = connection;
    connection = undefined;
    left?.close(why);
  };
  // Each page gets a connection of its own, at the moment it replaces the last one: a navigation that is prevented must
  // not cut off the page that stays.
  webContents.on('did-navigate', () => {
    leave('the page was loaded anew');
    connection = ipcConnection(ipcMain, webContents, maxFrameChars);
    connect(connection);
  });
  webContents.on('render-process-gone', (_event, { reason }) => {
    leave('the page ended');
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const now = Date.now();
    const isFirst = now - crashedAt > crashPauseMs;
    crashedAt = now;
    // Not from inside the event: what is loaded there would be taken down with the rest of the old page.
    if (isFirst) return void setImmediate(() => window.isDestroyed() || webContents.reload());
    void choose(window, {
      message: words().page.crashed,
      detail: words().page.safe(reason),
      buttons: [words().page.load, words().page.close],
    }).then((choice) => (choice === 0 ? webContents.reload() : window.destroy()));
  });
  let asks: AbortController | undefined;
  window.on('unresponsive', () => {
    if (asks !== undefined) return;
    asks = new AbortController();
    void choose(window, {
      message: words().page.hangs,
      detail: words().page.hangsMore,
      buttons: [words().page.wait, words().page.load],
      signal: asks.signal,
    }).then((choice) => {
      const isOver = asks?.signal.aborted !== false;
      asks = undefined;
      if (isOver || choice !== 1 || window.isDestroyed()) return;
      crashedAt = Number.NEGATIVE_INFINITY;
      webContents.forcefullyCrashRenderer(); // a page that hangs would not let itself be loaded anew
    });
  });
  window.on('responsive', () => asks?.abort());
}

async function choose(
  window: BrowserWindow,
  options: Pick<Electron.MessageBoxOptions, 'message' | 'detail' | 'buttons' | 'signal'> & {
    readonly buttons: string[];
  },
): Promise<number> {
  if (window.isDestroyed()) return -1;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: app.name,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    ...options,
  });
  return response;
}
