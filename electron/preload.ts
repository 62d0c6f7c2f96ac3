import { contextBridge, ipcRenderer, webUtils } from 'electron';

/** Listens on a channel until the returned function is called. */
const listenOn =
  (channel: string) =>
  (listen: (message: unknown) => void): (() => void) => {
    const listener = (_event: unknown, message: unknown): void => listen(message);
    ipcRenderer.on(channel, listener);
    return () => ipcRenderer.off(channel, listener);
  };

/**
 * The whole bridge between the window and the program: frames of the engine, messages of the desktop around it, and the
 * path of a dropped file, which only the preload may ask Electron for. It never grows by product features.
 */
contextBridge.exposeInMainWorld('bridge', {
  post: (frame: unknown) => ipcRenderer.send('frame', frame),
  onFrame: listenOn('frame'),
  tellDesktop: (message: unknown) => ipcRenderer.send('desktop', message),
  onDesktop: listenOn('desktop'),
  pathOf: (file: File) => webUtils.getPathForFile(file),
});
