import { BrowserWindow, ipcMain } from 'electron';
import type { PageMessage } from '../../shared/contract/desktopMessage.ts';
import { isWithin } from './frameSize.ts';

/** A whole menu is some 10,000 characters. */
const maxChars = 100_000;
/** What is waiting to be read at most; a page that sends more at once loses the rest. */
const maxWaiting = 100;

/**
 * Hears what pages say to the desktop around them. Another sender, a frame inside a page and what does not fit the
 * contract are dropped (S1, S4). The schemas come with the first message, which no window waits for.
 */
export function onPageMessage(listen: (window: BrowserWindow, message: PageMessage) => void): void {
  let waiting = 0;
  ipcMain.on('desktop', (event, message: unknown) => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (window === null || event.senderFrame !== event.sender.mainFrame) return;
    if (waiting >= maxWaiting || !isWithin(message, maxChars)) return;
    waiting += 1;
    void import('../../shared/contract/desktopMessage.ts').then(({ pageMessage }) => {
      waiting -= 1;
      const known = pageMessage.safeParse(message);
      if (known.success && !window.isDestroyed()) listen(window, known.data);
    });
  });
}
