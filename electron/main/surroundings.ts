import { type BrowserWindow, dialog } from 'electron';
import type { PageMessage } from '../../shared/contract/desktopMessage.ts';
import type { Log } from '../engine/base/log.ts';
import type { EngineHost } from './engineHost.ts';
import type { KeptStateFile } from './keptState.ts';
import type { Windows } from './windows.ts';

export interface Surroundings {
  readonly windows: Windows;
  readonly kept: KeptStateFile;
  readonly host: EngineHost;
  readonly userData: string;
  readonly programFolder: string;
  readonly log: Log;
}

/** Does what a page asks of the desktop around it. */
export type TakeMessage = (window: BrowserWindow, message: PageMessage) => void;

/** What a desktop user expects around the window; it is loaded after the first paint, and nothing waits for it. */
export function surroundWindows({ windows }: Surroundings): TakeMessage {
  return (window, message) => {
    switch (message.kind) {
      case 'chooseFolder':
        return void chooseFolder(window).then((path) => windows.send(window, { kind: 'folder', id: message.id, path }));
      case 'ready':
      case 'menu':
      case 'notify':
    }
  };
}

async function chooseFolder(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openDirectory', 'createDirectory'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}
