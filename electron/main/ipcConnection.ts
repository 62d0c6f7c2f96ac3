import type { Connection } from '../../shared/contract/connection.ts';

/** What is used of Electron's `ipcMain`. */
export interface IpcPipe<Event> {
  on(channel: 'frame', listen: (event: Event, frame: unknown) => void): unknown;
  off(channel: 'frame', listen: (event: Event, frame: unknown) => void): unknown;
}

/** What is used of a window's `webContents`. */
export interface WindowContents {
  readonly mainFrame: unknown;
  isDestroyed(): boolean;
  send(channel: 'frame', frame: unknown): void;
  once(event: 'destroyed', listen: () => void): unknown;
}

interface FrameEvent {
  readonly sender: unknown;
  readonly senderFrame: unknown;
}

/**
 * One loaded page as a connection; the only listener to the renderer. Frames of any other sender, or of a frame inside
 * the page, are dropped (S1). The host closes it when the page is left or reloaded.
 */
export function ipcConnection<Event extends FrameEvent>(pipe: IpcPipe<Event>, contents: WindowContents): Connection {
  let listen: ((frame: unknown) => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  const early: unknown[] = [];
  const hear = (event: Event, frame: unknown): void => {
    if (event.sender !== contents || event.senderFrame !== contents.mainFrame) return;
    if (listen) listen(frame);
    else early.push(frame);
  };
  const end = (reason: string): void => {
    pipe.off('frame', hear);
    const tell = closed;
    closed = undefined;
    tell?.(reason);
  };
  pipe.on('frame', hear);
  contents.once('destroyed', () => end('the window closed'));
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
