import { app as plainApp } from './app.ts';
import { BrowserWindow as PlainWindow } from './browserWindow.ts';
import { ipcMain as plainIpcMain } from './ipcMain.ts';
import { protocol as plainProtocol } from './requests.ts';
import { Menu as PlainMenu } from './shellParts.ts';
import { strict } from './strict.ts';

// The module `electron` as the built product imports it. A name that is missing here fails at its import.
export const app = strict('app', plainApp);
export const ipcMain = strict('ipcMain', plainIpcMain);
export const protocol = strict('protocol', plainProtocol);
export const BrowserWindow = strict('BrowserWindow', PlainWindow);
export const Menu = strict('Menu', PlainMenu);
export { net } from './net.ts';
export { crashReporter, Notification, nativeImage, Tray } from './shellParts.ts';
export { dialog, nativeTheme, powerMonitor, powerSaveBlocker, screen, session, shell } from './system.ts';
