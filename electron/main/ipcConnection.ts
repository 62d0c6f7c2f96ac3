import type { Connection } from '../../shared/contract/connection.ts';
import { isWithin } from './frameSize.ts';

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
  off(event: 'destroyed', listen: () => void): unknown;
}

interface FrameEvent {
  readonly sender: unknown;
  readonly senderFrame: unknown;
}

/** A page that is loaded may speak before the engine is there to listen; it greets with a handful of frames. */
const earlyFrames = 200;

/**
 * One loaded page as a connection. Frames of any other sender, or of a frame inside the page, are dropped (S1); one that
 * is larger than `maxChars` closes the connection (S4). The host closes it when the page is left.
 */
export function ipcConnection<Event extends FrameEvent>(
  pipe: IpcPipe<Event>,
  contents: WindowContents,
  maxChars: number,
): Connection {
  let listen: ((frame: unknown) => void) | undefined;
  let closed: ((reason: string) => void) | undefined;
  let ended: string | undefined;
  const early: unknown[] = [];
  const hear = (event: Event, frame: unknown): void => {
    if (event.sender !== contents || event.senderFrame !== contents.mainFrame) return;
    if (!isWithin(frame, maxChars)) return refuse('A frame is too large.');
    if (listen) return listen(frame);
    if (early.length >= earlyFrames) return refuse('Too many frames in a short time.');
    early.push(frame);
  };
  const post = (frame: unknown): void => {
    if (ended === undefined && !contents.isDestroyed()) contents.send('frame', frame);
  };
  const end = (reason: string): void => {
    if (ended !== undefined) return;
    ended = reason;
    pipe.off('frame', hear);
    contents.off('destroyed', gone);
    early.length = 0;
    closed?.(reason);
  };
  const refuse = (reason: string): void => {
    post({ kind: 'closed', reason });
    end(reason);
  };
  const gone = (): void => end('the window closed');
  pipe.on('frame', hear);
  contents.once('destroyed', gone);
  return {
    post,
    onFrame(hears) {
      listen = hears;
      for (const frame of early.splice(0)) hears(frame);
    },
    onClose(hears) {
      if (ended === undefined) closed = hears;
      else hears(ended);
    },
    close: end,
  };
}
