import { join } from 'node:path';
import { app, BrowserWindow, Menu, nativeImage, powerSaveBlocker, Tray } from 'electron';
import type { WorkbenchState } from '../../shared/model/workbench.ts';
import { type Counts, countsOf } from './counts.ts';
import { words } from './desktopWords.ts';
import type { EngineHost } from './engineHost.ts';
import type { Windows } from './windows.ts';

/** Where the tray finds its pictures: macOS colours a template itself. */
const trayIcon = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';

/** What is seen of the app where its windows are not: tray, badge, a computer that stays awake while something runs. */
export function showPresence(host: EngineHost, windows: Windows, icons: string): void {
  const image = nativeImage.createFromPath(join(icons, trayIcon));
  const tray = image.isEmpty() ? undefined : new Tray(image);
  tray?.on('click', () => void windows.show());
  let blocker: number | undefined;
  let shown = '';
  host.follow((state) => {
    const counts = countsOf(state);
    const waiting = sessionsThatWait(state);
    // Facts come by the hundred: only what changes a word here is worth the system's attention.
    const now = JSON.stringify([counts, waiting, words().ok]);
    if (now === shown) return;
    shown = now;
    app.setBadgeCount(counts.waiting);
    for (const window of BrowserWindow.getAllWindows())
      window.setOverlayIcon(counts.waiting > 0 ? image : null, counts.waiting > 0 ? describe(counts) : '');
    const isBusy = counts.running + counts.working > 0;
    if (isBusy) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
    tray?.setToolTip(`Vise: ${describe(counts)}`);
    tray?.setContextMenu(
      Menu.buildFromTemplate([
        { label: describe(counts), enabled: false },
        { type: 'separator' },
        ...waiting.map(({ id, project, title }) => ({
          label: words().presence.question(title),
          click: () => void windows.show({ kind: 'show', project, session: id }),
        })),
        { label: words().presence.show, click: () => void windows.show() },
        { label: words().menu.quit, click: () => app.quit() },
      ]),
    );
  });
}

/** In a few words what is under way. */
export function describe({ running, waiting }: Pick<Counts, 'running' | 'waiting'>): string {
  const { calm, busy } = words().presence;
  return running + waiting === 0 ? calm : busy(running, waiting);
}

function sessionsThatWait({
  sessions,
}: WorkbenchState): readonly { readonly id: string; readonly project: string; readonly title: string }[] {
  return Object.values(sessions)
    .filter(({ waiting, archived }) => waiting > 0 && !archived)
    .slice(0, 10)
    .map(({ id, project, title }) => ({ id, project, title: title.slice(0, 60) || words().presence.untitled }));
}
