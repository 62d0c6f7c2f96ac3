import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { OpenRequest } from './openRequest.ts';
import type { Windows } from './windows.ts';

/** Opens what was asked for in the window used last; what cannot be opened is told there. Opening runs nothing. */
export async function openRequested(request: OpenRequest, windows: Windows): Promise<void> {
  if (request.kind === 'none') return;
  const window = windows.show();
  if (request.kind === 'refused') return tell(window, 'This cannot be opened.', request.why);
  const found = await stat(request.path).catch(() => undefined);
  if (window.isDestroyed()) return;
  if (found === undefined) return tell(window, 'There is no such folder.', request.path);
  const path = found.isDirectory() ? request.path : dirname(request.path);
  if (!found.isDirectory() || request.asks) {
    const isFile = !found.isDirectory();
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: isFile ? 'Vise opens folders. Open the folder of this file?' : 'A link asks Vise to open this folder.',
      detail: `${path}\n\nNothing in it is run, and the agent may only read it until you trust it.`,
      buttons: ['Open the folder', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response !== 0) return;
  }
  app.addRecentDocument(path);
  windows.show({ kind: 'open', path });
}

async function tell(window: BrowserWindow, message: string, detail: string): Promise<void> {
  await dialog.showMessageBox(window, { type: 'info', message, detail, buttons: ['OK'], noLink: true });
}
