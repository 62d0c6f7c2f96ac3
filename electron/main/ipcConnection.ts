import { type IpcMainEvent, ipcMain, type WebContents } from 'electron';
import type { Connection } from '../../shared/contract/connection.ts';

/** One window as a connection: the only place that listens to the renderer. Frames of any other sender are dropped (S1). */
export function ipcConnection(contents: WebContents): Connection {
  let listen: ((frame: unknown) => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  const early: unknown[] = [];
  const hear = (event: IpcMainEvent, frame: unknown): void => {
    if (event.sender !== contents || event.senderFrame !== contents.mainFrame) return;
    if (listen) listen(frame);
    else early.push(frame);
  };
  const end = (reason: string): void => {
    ipcMain.off('frame', hear);
    const tell = closed;
    closed = undefined;
    tell?.(reason);
  };
  ipcMain.on('frame', hear);
  contents.once('destroyed', () => end('the window closed'));
  // The connection is made when a page begins to load; the next page that begins is another one, with a connection of its own.
  const navigated = (details: { readonly isMainFrame: boolean; readonly isSameDocument: boolean }): void => {
    if (!details.isMainFrame || details.isSameDocument) return;
    contents.off('did-start-navigation', navigated);
    end('the window was reloaded');
  };
  setImmediate(() => contents.on('did-start-navigation', navigated));
  return {
    post(frame) {
      if (!contents.isDestroyed()) contents.send('frame', frame);
    },
    onFrame(hears) {
      listen = hears;
      for (const frame of early.splice(0)) hears(frame);
    },
    onClose(hears) {
      closed = hears;
    },
    close: end,
  };
}
