import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { BrowserWindow } from './browserWindow.ts';
import { setBeforeRequest } from './requests.ts';
import { StrictEmitter, strict } from './strict.ts';

/** Dialogs that nobody has been told how to answer stay open, as real ones do. */
const open = <T>(): Promise<T> => new Promise(() => undefined);

export const dialog: Pick<Electron.Dialog, 'showMessageBox' | 'showOpenDialog' | 'showErrorBox'> = strict('dialog', {
  showMessageBox: () => open<Electron.MessageBoxReturnValue>(),
  showOpenDialog: () => open<Electron.OpenDialogReturnValue>(),
  showErrorBox(title: string, content: string) {
    process.stderr.write(`${title}\n${content}\n`);
  },
});

export const shell: Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder'> = strict('shell', {
  openExternal: () => Promise.resolve(),
  openPath: () => Promise.resolve(''),
  showItemInFolder: () => undefined,
});

const displays = JSON.parse(
  process.env['STAND_IN_DISPLAYS'] ?? '[{"x":0,"y":0,"width":1920,"height":1080}]',
) as readonly Electron.Rectangle[];
export const screen: Pick<Electron.Screen, 'getPrimaryDisplay' | 'getAllDisplays'> = strict('screen', {
  getPrimaryDisplay: () => ({ workArea: displays[0], bounds: displays[0] }) as Electron.Display,
  getAllDisplays: () => displays.map((area) => ({ workArea: area, bounds: area }) as Electron.Display),
});

class NativeTheme
  extends StrictEmitter
  implements Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'themeSource' | 'shouldUseHighContrastColors'>
{
  #source: Electron.NativeTheme['themeSource'] = 'system';
  #systemIsDark = true;
  shouldUseHighContrastColors = false;

  constructor() {
    super('nativeTheme', ['updated']);
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.#systemIsDark : this.#source === 'dark';
  }

  get themeSource(): Electron.NativeTheme['themeSource'] {
    return this.#source;
  }

  set themeSource(source: Electron.NativeTheme['themeSource']) {
    if (source === this.#source) return;
    this.#source = source;
    this.#tell();
  }

  /** The system's own switch. */
  setSystemDark(isDark: boolean): void {
    this.#systemIsDark = isDark;
    if (this.#source === 'system') this.#tell();
  }

  /** Likewise. */
  setSystemContrast(isHigh: boolean): void {
    this.shouldUseHighContrastColors = isHigh;
    this.#tell();
  }

  #tell(): void {
    for (const window of BrowserWindow.getAllWindows() as unknown as readonly BrowserWindow[]) this.tellPage(window);
    this.emit('updated');
  }

  tellPage({ page }: BrowserWindow): void {
    const features = [
      { name: 'prefers-color-scheme', value: this.shouldUseDarkColors ? 'dark' : 'light' },
      { name: 'prefers-contrast', value: this.shouldUseHighContrastColors ? 'more' : 'no-preference' },
    ];
    void page.begun.then(() => page.cdp('Emulation.setEmulatedMedia', { features })).catch(() => undefined);
  }
}
export const nativeTheme = new NativeTheme();

const granted: { request: unknown; check: unknown; device: unknown } = { request: null, check: null, device: null };
const defaultSession = Object.assign(new StrictEmitter('session', ['will-download']), {
  setPermissionRequestHandler(handler: unknown) {
    granted.request = handler;
  },
  setPermissionCheckHandler(handler: unknown) {
    granted.check = handler;
  },
  setDevicePermissionHandler(handler: unknown) {
    granted.device = handler;
  },
  webRequest: strict('webRequest', { onBeforeRequest: setBeforeRequest }),
  handlers: granted,
});
const theSession = strict('defaultSession', defaultSession) as unknown as Electron.Session; // by what is used of it
export const session: Pick<typeof Electron.session, 'defaultSession' | 'fromPartition'> = strict('session', {
  defaultSession: theSession,
  fromPartition: () => theSession,
});

export const powerMonitor = new EventEmitter() as unknown as Pick<Electron.PowerMonitor, 'on' | 'emit'>; // likewise

const blockers = new Set<number>();
let lastBlocker = -1;
export const powerSaveBlocker: Pick<Electron.PowerSaveBlocker, 'start' | 'stop' | 'isStarted'> = strict(
  'powerSaveBlocker',
  {
    start() {
      lastBlocker += 1;
      blockers.add(lastBlocker);
      return lastBlocker;
    },
    stop: (id: number) => blockers.delete(id),
    isStarted: (id: number) => blockers.has(id),
  },
);
