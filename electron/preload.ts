import { contextBridge, ipcRenderer, webUtils } from 'electron';

/** The whole bridge between the window and the program: frames in, frames out. It never grows by product features. */
contextBridge.exposeInMainWorld('bridge', {
  post: (frame: unknown) => ipcRenderer.send('frame', frame),
  onFrame: (listen: (frame: unknown) => void) => {
    const ear = (_event: unknown, frame: unknown): void => listen(frame);
    ipcRenderer.on('frame', ear);
    return () => ipcRenderer.off('frame', ear);
  },
  /** The path of a dropped file or folder: only the preload may ask Electron for it. */
  pathOf: (file: File) => webUtils.getPathForFile(file),
});
