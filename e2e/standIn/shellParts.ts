import type * as Electron from 'electron';
import { StrictEmitter, strict } from './strict.ts';

type Template = Electron.MenuItemConstructorOptions;

/** A menu as its template says; a test finds an item by its label and clicks it. */
export class Menu {
  static current: Menu | null = null;
  readonly items: readonly (Omit<Template, 'submenu'> & { readonly submenu?: Menu })[];
  popups = 0;

  constructor(template: readonly Template[]) {
    this.items = template.map(({ submenu, ...item }) => ({
      ...item,
      ...(Array.isArray(submenu) ? { submenu: new Menu(submenu as readonly Template[]) } : {}),
    }));
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

  popup(): void {
    this.popups += 1;
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
