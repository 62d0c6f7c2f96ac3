import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { describeError } from '../engine/base/log.ts';

/**
 * Looks for an update because the person asks for it; nothing is asked of a server by itself. Only builds that were
 * signed carry the address of their updates (`app-update.yml`); electron-updater checks what it downloads against
 * signature and checksum, and installs nothing before the person has said so.
 */
export async function checkForUpdates(
  window: BrowserWindow,
  channel: 'stable' | 'beta',
  end: () => void,
): Promise<void> {
  const tell = (message: string, detail = '', buttons = ['OK']): Promise<number> =>
    dialog
      .showMessageBox(window, {
        type: 'info',
        message,
        detail,
        buttons,
        defaultId: 0,
        cancelId: buttons.length - 1,
        noLink: true,
      })
      .then(({ response }) => response);
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) {
    await tell('Updates are off.', 'This build is not signed, so nothing could show where an update comes from.');
    return;
  }
  let failure = 'No update could be looked for.';
  try {
    const { autoUpdater } = (await import('electron-updater')).default;
    autoUpdater.autoDownload = false;
    autoUpdater.autoInstallOnAppQuit = false;
    autoUpdater.allowPrerelease = channel === 'beta';
    autoUpdater.channel = channel === 'beta' ? 'beta' : 'latest';
    autoUpdater.allowDowngrade = false; // setting a channel turns it on
    const found = await autoUpdater.checkForUpdates();
    if (found === null || !found.isUpdateAvailable) {
      await tell('Vise is up to date.', `Version ${app.getVersion()}, channel ${channel}.`);
      return;
    }
    const { version } = found.updateInfo;
    if ((await tell(`Vise ${version} is there.`, `You have ${app.getVersion()}.`, ['Download', 'Later'])) !== 0) return;
    failure = `Vise ${version} could not be downloaded. This version stays as it is.`;
    autoUpdater.autoInstallOnAppQuit = true; // looked at when the download ends, and again when the app does
    await autoUpdater.downloadUpdate();
    const ready = `Vise ${version} is ready.`;
    const isWanted = (await tell(ready, 'It is put in place when Vise ends.', ['Quit and install', 'Later'])) === 0;
    autoUpdater.autoInstallOnAppQuit = isWanted;
    if (!isWanted) return;
    end();
  } catch (error) {
    await tell(failure, describeError(error).slice(0, 500));
  }
}
