import { BrowserWindow, dialog, shell, type WebContents } from 'electron';
import { openOutside } from './outsideLink.ts';
import { words } from './words.ts';

/** Asks with the whole address before the system's browser gets it. */
export function followLink(contents: WebContents, url: string): Promise<void> {
  return openOutside(url, {
    async ask(address) {
      const window = BrowserWindow.fromWebContents(contents);
      if (window === null) return false;
      const { open, cancel } = words();
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: open.outside,
        detail: address,
        buttons: [open.outsideYes, cancel],
        defaultId: 1,
        cancelId: 1,
      });
      return response === 0;
    },
    open: (address) => shell.openExternal(address),
  });
}
