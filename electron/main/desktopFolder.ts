import { mkdirSync } from 'node:fs';
import { app, dialog } from 'electron';
import { describeError } from '../engine/base/log.ts';

/**
 * Makes the folder of the desktop's own state and Chromium's profile, and tells Electron of it. Undefined, after a word
 * to the person, where it cannot be made: an app whose profile lies elsewhere would share its lock with another one.
 */
export function prepareUserData(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
    return folder;
  } catch (error) {
    dialog.showErrorBox(
      'Vise cannot keep its state',
      `${folder} cannot be written (${describeError(error)}).\n\nMake it writable, or name another place with the environment variable VISE_HOME. Nothing was changed.`,
    );
    return undefined;
  }
}
