import type * as Electron from 'electron';
import { app, setCloseAll } from './app.ts';
import { type Browser, startBrowser } from './browser.ts';
import { StrictEmitter } from './strict.ts';
import { WebContents } from './webContents.ts';

const events = [
  'blur',
  'close',
  'closed',
  'focus',
  'ready-to-show',
  'responsive',
  'session-end',
  'show',
  'unresponsive',
] as const;

type Members =
  | 'id'
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getNormalBounds'
  | 'getTitle'
  | 'hide'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'loadURL'
  | 'maximize'
  | 'minimize'
  | 'restore'
  | 'setBackgroundColor'
  | 'setFullScreen'
  | 'setMenu'
  | 'setOverlayIcon'
  | 'setTitleBarOverlay'
  | 'show';

let browser: Promise<Browser> | undefined;
let started: Browser | undefined;

/** The one Chromium behind all windows; it starts with the first. */
export function theBrowser(): Promise<Browser> {
  browser ??= startBrowser(app.getPath('userData')).then((one) => {
    started = one;
    return one;
  });
  return browser;
}

process.on('exit', () => started?.kill());

const windows: BrowserWindow[] = [];
let focused: BrowserWindow | undefined;

function focusOn(window: BrowserWindow | undefined): void {
  focused = window;
}
let made = 0;

export class BrowserWindow extends StrictEmitter implements Pick<Electron.BrowserWindow, Members> {
  readonly id: number;
  readonly webContents: Electron.WebContents;
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly page: WebContents;
  menu: Electron.Menu | null = null;
  overlay: Electron.TitleBarOverlayOptions | undefined;
  #bounds: Electron.Rectangle;
  #visible: boolean;
  #destroyed = false;
  #state = { maximized: false, minimized: false, fullScreen: false };

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', events);
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    if (app.hasLost) {
      process.stderr.write('stand-in: an instance without the lock has opened a window\n');
      process.exit(70);
    }
    made += 1;
    this.id = made;
    this.options = options;
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.#visible = options.show !== false;
    const { webPreferences: { preload, sandbox, contextIsolation, nodeIntegration } = {} } = options;
    // The preload runs in a world of its own here, whatever is asked for; what asks for less is a mistake.
    if (sandbox === false || contextIsolation === false || nodeIntegration === true)
      throw new Error('The stand-in opens no window without its sandbox.');
    this.page = new WebContents(theBrowser(), this.#bounds, preload);
    this.webContents = this.page as unknown as Electron.WebContents; // typed by what it implements of it
    windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
    app.emit('browser-window-created', {}, this);
    let painted = false;
    this.page.on('stand-in-paint', () => {
      if (painted) return;
      painted = true;
      this.emit('ready-to-show');
    });
  }

  static getAllWindows(): Electron.BrowserWindow[] {
    return windows as unknown as Electron.BrowserWindow[]; // likewise
  }

  static getFocusedWindow(): Electron.BrowserWindow | null {
    return (focused as unknown as Electron.BrowserWindow | undefined) ?? null;
  }

  static fromWebContents(contents: unknown): Electron.BrowserWindow | null {
    return (windows.find(({ page }) => page === contents) as unknown as Electron.BrowserWindow | undefined) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.page.load(url);
  }

  close(): void {
    if (this.#destroyed || this.ask('close')) return;
    this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    if (focused === this) focused = undefined;
    void this.page.destroy();
    this.emit('closed');
    if (windows.length > 0 || app.isQuitting) return;
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
    else app.quit();
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  show(): void {
    this.#visible = true;
    this.emit('show');
    this.focus();
  }

  hide(): void {
    this.#visible = false;
  }

  focus(): void {
    if (focused === this) return;
    focused?.emit('blur');
    focusOn(this);
    this.emit('focus');
    app.emit('browser-window-focus', {}, this);
  }

  /** Somebody looks at another program. */
  blur(): void {
    if (focused !== this) return;
    focused = undefined;
    this.emit('blur');
  }

  isFocused(): boolean {
    return focused === this;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  getBounds(): Electron.Rectangle {
    return this.#bounds;
  }

  getNormalBounds(): Electron.Rectangle {
    return this.#bounds;
  }

  setBounds(bounds: Electron.Rectangle): void {
    this.#bounds = bounds;
  }

  getTitle(): string {
    return this.options.title ?? '';
  }

  isMaximized(): boolean {
    return this.#state.maximized;
  }

  isMinimized(): boolean {
    return this.#state.minimized;
  }

  isFullScreen(): boolean {
    return this.#state.fullScreen;
  }

  maximize(): void {
    this.#state.maximized = true;
  }

  minimize(): void {
    this.#state.minimized = true;
  }

  restore(): void {
    this.#state.minimized = false;
  }

  setFullScreen(on: boolean): void {
    this.#state.fullScreen = on;
  }

  setMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }

  setBackgroundColor(): void {}

  /** Noted for the test. */
  setTitleBarOverlay(overlay: Electron.TitleBarOverlayOptions): void {
    this.overlay = overlay;
  }

  setOverlayIcon(): void {}
}

setCloseAll(() => {
  for (const window of [...windows]) window.close();
  return windows.length === 0;
});
