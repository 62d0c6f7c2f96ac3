import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { describeError } from '../engine/base/log.ts';
import { words } from './desktopWords.ts';

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
  const { updates: say, ok } = words();
  const tell = (message: string, detail = '', buttons = [ok]): Promise<number> =>
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
    await tell(say.off, say.offMore);
    return;
  }
  let failure = say.none;
  try {
    const { autoUpdater } = (await import('electron-updater')).default;
    autoUpdater.autoDownload = false;
    autoUpdater.autoInstallOnAppQuit = false;
    autoUpdater.allowPrerelease = channel === 'beta';
    autoUpdater.channel = channel === 'beta' ? 'beta' : 'latest';
    autoUpdater.allowDowngrade = false; // setting a channel turns it on
    const found = await autoUpdater.checkForUpdates();
    if (found === null || !found.isUpdateAvailable) {
      await tell(say.newest, say.newestMore(app.getVersion(), words().menu.channels[channel]));
      return;
    }
    const { version } = found.updateInfo;
    if ((await tell(say.found(version), say.have(app.getVersion()), [say.download, say.later])) !== 0) return;
    failure = say.notDownloaded(version);
    autoUpdater.autoInstallOnAppQuit = true; // looked at when the download ends, and again when the app does
    await autoUpdater.downloadUpdate();
    const isWanted = (await tell(say.ready(version), say.readyMore, [say.install, say.later])) === 0;
    autoUpdater.autoInstallOnAppQuit = isWanted;
    if (!isWanted) return;
    end();
  } catch (error) {
    await tell(failure, describeError(error).slice(0, 500));
  }
}
