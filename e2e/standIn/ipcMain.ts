import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** Frames of pages arrive here, in their order; any channel may be listened to. */
export const ipcMain = new EventEmitter().setMaxListeners(0) as unknown as Pick<
  Electron.IpcMain,
  'on' | 'off' | 'emit'
>; // an emitter's answers are the emitter
