import type * as Electron from 'electron';
import { app } from './app.ts';
import { BrowserWindow } from './browserWindow.ts';
import { StrictEmitter, strict } from './strict.ts';

type Template = Electron.MenuItemConstructorOptions;

/** What Electron itself does for an item that names one of its roles; the edit roles are commands of Chromium. */
const roles: Readonly<Record<string, (window: BrowserWindow | undefined) => void>> = {
  about: () => app.showAboutPanel(),
  quit: () => app.quit(),
  resetZoom: (window) => window?.page.setZoomLevel(0),
  zoomIn: (window) => window?.page.setZoomLevel(window.page.getZoomLevel() + 0.5),
  zoomOut: (window) => window?.page.setZoomLevel(window.page.getZoomLevel() - 0.5),
  togglefullscreen: (window) => window?.setFullScreen(!window.isFullScreen()),
  ...Object.fromEntries(
    ['copy', 'cut', 'paste', 'selectAll', 'undo', 'redo'].map((name) => [
      name,
      (window: BrowserWindow | undefined) => void window?.page.edit(name),
    ]),
  ),
};

/** Fact: a click flips what can be checked, then does what the role says, and only without one what the app says. */
function pressable({ submenu, ...item }: Template): Menu['items'][number] {
  const made = {
    ...item,
    ...(Array.isArray(submenu) ? { submenu: Menu.buildFromTemplate(submenu) } : {}),
    click(): void {
      if (made.type === 'checkbox' || made.type === 'radio') made.checked = made.checked !== true;
      if (made.role === undefined) return item.click?.(made as unknown as Electron.MenuItem, undefined, {});
      const run = roles[made.role];
      if (run === undefined) throw new Error(`The stand-in knows no role "${made.role}".`);
      run(
        (BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]) as unknown as BrowserWindow | undefined,
      );
    },
  };
  return made;
}

/** A menu as its template says; a test finds an item by its label and clicks it. */
export class Menu {
  static current: Menu | null = null;
  readonly items: readonly (Omit<Template, 'submenu' | 'click'> & { readonly submenu?: Menu; click(): void })[];

  constructor(template: readonly Template[]) {
    this.items = template.map(pressable);
  }

  static buildFromTemplate(template: readonly Template[]): Menu {
    return new Menu(template);
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.current = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.current;
  }

  /** It stays up until a test has chosen from it. */
  popup(): void {
    Object.assign(globalThis, { poppedUp: this });
  }
}

/** All that were made, for a test to look at. */
const trays: Tray[] = [];

export class Tray extends StrictEmitter implements Pick<Electron.Tray, 'setToolTip' | 'setContextMenu'> {
  toolTip = '';
  menu: Electron.Menu | null = null;

  constructor() {
    super('tray', ['click']);
    trays.push(this);
    Object.assign(globalThis, { trays });
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu;
  }
}

export class Notification extends StrictEmitter implements Pick<Electron.Notification, 'show' | 'title' | 'body'> {
  readonly title: string;
  readonly body: string;
  readonly actions = [];

  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions) {
    super('notification', ['click']);
    this.title = title;
    this.body = body;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {}
}

export const nativeImage = strict('nativeImage', {
  createFromPath: (path: string) => ({ path, isEmpty: () => false }) as unknown as Electron.NativeImage, // by what is used of it
});

export const crashReporter: Pick<Electron.CrashReporter, 'start'> = strict('crashReporter', {
  start({ uploadToServer }: Electron.CrashReporterStartOptions) {
    if (uploadToServer !== false) throw new Error('A crash report would leave this computer.');
  },
});
