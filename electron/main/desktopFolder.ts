import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { describeError } from '../engine/base/log.ts';
import { words } from './desktopWords.ts';

/**
 * Makes the folder of the desktop's own state and Chromium's profile, and tells Electron of it. Undefined, after a word
 * to the person, where it cannot be written: an app whose profile lies elsewhere would share its lock with another one.
 */
export function prepareUserData(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // It may be there and not be written: then the lock cannot be had, and the app would end without a word.
    const probe = join(folder, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    app.setPath('userData', folder);
    return folder;
  } catch (error) {
    const { noState, noStateMore } = words().start;
    dialog.showErrorBox(noState, noStateMore(folder, describeError(error)));
    return undefined;
  }
}
