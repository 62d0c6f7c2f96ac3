import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { words } from './desktopWords.ts';
import type { OpenRequest } from './openRequest.ts';
import type { Windows } from './windows.ts';

/** Opens what was asked for in the window used last; what cannot be opened is told there. Opening runs nothing. */
export async function openRequested(request: OpenRequest, windows: Windows): Promise<void> {
  if (request.kind === 'none') return;
  const window = windows.show();
  const { open, cancel } = words();
  if (request.kind === 'refused') return tell(window, open.refused, open.refusals[request.why](request.what));
  const found = await stat(request.path).catch(() => undefined);
  if (window.isDestroyed()) return;
  if (found === undefined) return tell(window, open.missing, request.path);
  const path = found.isDirectory() ? request.path : dirname(request.path);
  if (!found.isDirectory() || request.asks) {
    const isFile = !found.isDirectory();
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      message: isFile ? open.isFile : open.byLink,
      detail: open.detail(path),
      buttons: [open.yes, cancel],
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
  await dialog.showMessageBox(window, { type: 'info', message, detail, buttons: [words().ok], noLink: true });
}
