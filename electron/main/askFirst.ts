import { BrowserWindow, dialog, shell, type WebContents } from 'electron';
import { openOutside } from './outsideLink.ts';

/** Asks with the whole address before the system's browser gets it. */
export function followLink(contents: WebContents, url: string): Promise<void> {
  return openOutside(url, {
    async ask(address) {
      const window = BrowserWindow.fromWebContents(contents);
      if (window === null) return false;
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address outside of Vise?',
        detail: address,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      });
      return response === 0;
    },
    open: (address) => shell.openExternal(address),
  });
}
