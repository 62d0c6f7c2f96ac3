import { BrowserWindow, dialog, shell, type WebContents } from 'electron';
import { words } from './desktopWords.ts';
import { openOutside } from './outsideLink.ts';

const asked = new WeakSet<BrowserWindow>();

/** Asks with the whole address before the system's browser gets it; one question a window at a time, whatever its page opens. */
export function followLink(contents: WebContents, url: string): Promise<void> {
  return openOutside(url, {
    async ask(address) {
      const window = BrowserWindow.fromWebContents(contents);
      if (window === null || asked.has(window)) return false;
      asked.add(window);
      const { open, cancel } = words();
      const { response } = await dialog
        .showMessageBox(window, {
          type: 'question',
          message: open.outside,
          detail: address,
          buttons: [open.outsideYes, cancel],
          defaultId: 1,
          cancelId: 1,
        })
        .finally(() => asked.delete(window));
      return response === 0;
    },
    open: (address) => shell.openExternal(address),
  });
}
